"""`python -m surefoot.systems.gait_tuning --gait human/walk --iterations 300`: tune a gait from the command line.

Only flags and the record of the command are here; the search is in `tune`, the flags' meaning in `config`.
"""

from __future__ import annotations

import shlex
import sys

import tyro

from surefoot.systems.gait_tuning.config import Tuning
from surefoot.systems.gait_tuning.tune import tune

if __name__ == "__main__":
    tune(tyro.cli(Tuning), command="python -m surefoot.systems.gait_tuning " + shlex.join(sys.argv[1:]))
