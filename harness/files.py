"""Files written as a whole: nobody ever sees half of one, whenever the writer is stopped."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a name to write to; what is there takes the file's place once the block has ended well.

    If it has not, what was there before stays. A device or a pipe is written to as it is.

    Parameters
    ----------
    path : Path
        File to be made or replaced; a link to one stays a link.

    Yields
    ------
    Path
        ``.NAME.PROCESS.tmp`` beside it.
    """
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        yield path
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
