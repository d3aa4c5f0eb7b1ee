"""Files that are there whole or not at all: written beside their place, then renamed into it.

A run that is stopped, or a disk that is full, leaves the old file untouched and no half of a new one. What goes into the files
is decided where it is made: films in `surefoot.filming`, motions in `surefoot.motions`, figures of a run in `surefoot.experiments`.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from surefoot.errors import SurefootError, UnusableFile, nearest_name


@contextmanager
def written_whole(path: Path | str) -> Iterator[Path]:
    """A path to write to instead of `path`, with the same suffix; when the block ends well it takes the place of `path`.

    Folders on the way are made. When the block fails, what it wrote is removed and `path` is as it was.
    """
    final = Path(path)
    if final.exists() and not final.is_file():
        raise UnusableFile(final, "is a folder" if final.is_dir() else "is not a regular file", next_move="name a file to write to")
    part = final.with_name(f".{final.stem}.{os.getpid()}.part{final.suffix}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield part
            part.replace(final)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        ours = error.filename is None or Path(error.filename) in (part, final, final.parent)
        raise file_mistake(error, final if ours else None) or error from error


def file_mistake(error: OSError, path: Path | str | None = None) -> SurefootError | None:
    """What a failed file operation means to the user, or None when it is none of their doing."""
    place = path if path is not None else error.filename
    where = place if isinstance(place, str | Path) else "standard output"
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return UnusableFile(where, "cannot be written: the disk is full", next_move="free some space or write to another disk")
        case errno.ENOENT:
            return UnusableFile(where, "does not exist", next_move=_what_is_there(Path(where)))
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return UnusableFile(where, "may not be read or written by you", next_move="choose another place or change its permissions")
        case errno.EISDIR:
            return UnusableFile(where, "is a folder", next_move="name a file in it")
        case errno.ENOTDIR | errno.EEXIST:
            return UnusableFile(where, "cannot be made: a part of its path is a file, not a folder", next_move="choose another place")
        case errno.ENAMETOOLONG:
            return UnusableFile(f"{str(where)[:40]}...", "has too long a name", next_move="choose a shorter one")
    return None


def _what_is_there(path: Path) -> str:
    """The next move after a missing file: the nearest name in its folder, or the fact that the folder is missing too."""
    if not path.parent.is_dir():
        return f"the folder '{path.parent}' does not exist either"
    near = nearest_name(path.name, sorted(entry.name for entry in path.parent.iterdir()))
    return f"did you mean '{path.with_name(near)}'?" if near else "check the name"
