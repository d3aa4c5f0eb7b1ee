"""A progress line with the time left, for work of more than two seconds; silent where nobody watches.

It goes to standard error, and only to a terminal, so that pipes, logs and `--json` stay clean. What the command line prints
otherwise is in `surefoot.cli`; measurements that a run keeps are its own affair, not this module's.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

SHOWN_AFTER_S: Final = 2.0
"""Work shorter than this shows nothing: a bar that flashes by is noise."""

Advance = Callable[[float], None]
"""Called with the amount of work done since the last call, in the unit of `total`."""


@contextmanager
def progress(label: str, total: float, *, quiet: bool = False) -> Iterator[Advance]:
    """Show `label`, a bar and the time left while the block runs; the block calls the yielded function as work is done.

    >>> with progress("walking", total=60.0) as advance:
    ...     advance(0.5)
    """
    if quiet or not sys.stderr.isatty():
        yield lambda amount: None
        return
    from rich.console import Console  # here, because rich takes 50 ms that a short command should not pay
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = TextColumn("{task.percentage:3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), done, TimeRemainingColumn(), TextColumn("left"))
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=total)
    late = threading.Timer(SHOWN_AFTER_S, bar.start)
    late.daemon = True
    late.start()
    try:
        yield lambda amount: bar.advance(task, amount)
    finally:
        late.cancel()
        late.join()  # a timer that fires just now would otherwise start the bar after it was stopped
        bar.stop()
