"""The command line: `surefoot demo | list | show | doctor | character`, one module a command.

`main` finds the command and loads its module only then; `parsing` turns words into a frozen dataclass (tyro), `mistakes` turns
errors into one sentence and exit code 2, `known` is what `list` and `show` look through. What the commands do lives below, in the
library; a command only asks, checks and prints.
"""
