"""A lock on a folder, so that two processes do not write to it at once."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from ..errors import PresiError


class Lock:
    """An exclusive lock; the system lets go of it when the process ends, however it does.

    Parameters
    ----------
    file : Path
        Made for the lock, holds the number of the process, and goes with the lock.

    Raises
    ------
    PresiError
        If another process has it.
    OSError
        If the file cannot be made.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        while True:
            self._handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                process = os.read(self._handle, 20).decode(errors="replace").strip()
                os.close(self._handle)
                who = f" (process {process})" if process else ""
                raise PresiError(f"{file.parent}: another presi{who} is writing to this folder") from None
            except OSError as error:
                # Some network file systems know no locks: better to work without one than not at all.
                if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
                    os.close(self._handle)
                    raise
            if self._is_current():
                break
            os.close(self._handle)  # who had it before has just deleted it
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f"{os.getpid()}\n".encode())

    def _is_current(self) -> bool:
        try:
            return os.path.samestat(os.stat(self.file), os.fstat(self._handle))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let go of the lock."""
        self.file.unlink(missing_ok=True)
        os.close(self._handle)
