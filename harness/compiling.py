"""Where compiled code is kept between runs, and the one decorator that compiles.

Numba's own disk cache looks at the file of the function it compiles and at nothing that function calls:
after an edit of a rule in another module the old rule would keep running. Here every cache folder is
named by a digest of *all* sources that compiled code may be made of, so an edit anywhere begins a new
folder. The folder lies in the user's cache, never beside the sources, so that an installation nobody may
write to works as well.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from .errors import PresiError

_KEPT_FOR = 30 * 86400
"""Seconds after which a cache folder that no run has opened is thrown away."""

PACKAGE = Path(__file__).parent


def digest_of(sources: Mapping[str, bytes]) -> str:
    """Digest source texts together with the versions that compile them.

    Parameters
    ----------
    sources : mapping of str to bytes
        Texts by the names of their files; the order does not matter, the names do.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    sha = hashlib.sha256()
    bounds = os.environ.get("NUMBA_BOUNDSCHECK", "")
    sha.update(f"{sys.version_info} {numba.__version__} {np.__version__} bounds={bounds}".encode())
    for name in sorted(sources):
        sha.update(f"\0{name}\0{len(sources[name])}\0".encode())
        sha.update(sources[name])
    return sha.hexdigest()[:16]


def engine_sources() -> list[Path]:
    """List the files whose code the compiled engine is made of."""
    folders = [*(PACKAGE / "engine").glob("*.py"), *(PACKAGE / "search").glob("*.py")]
    return [*folders, PACKAGE / "moves.py", PACKAGE / "streams.py", PACKAGE / "compiling.py"]


@cache
def engine_digest() -> str:
    """Digest of everything the compiled engine is made of."""
    return digest_of({str(file.relative_to(PACKAGE)): file.read_bytes() for file in engine_sources()})


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_root() -> Path:
    """Folder that holds the compiled code of every version: ``PRESI_CACHE``, or the user's cache folder.

    Where neither can be written, a folder in the system's temporary folder that is the user's own.
    """
    named = os.environ.get("PRESI_CACHE")
    if named:
        if not _writable(Path(named)):
            raise PresiError(f"PRESI_CACHE = {named}: this folder cannot be written")
        return Path(named)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    folder = home / "presi"
    if _writable(folder):
        return folder
    return Path(tempfile.gettempdir()) / f"presi-cache-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def cache_folder(*parts: str) -> Path:
    """Give the folder for code compiled from the present sources; made if it is not there.

    Parameters
    ----------
    *parts : str
        Below the engine's folder: what else the code depends on, such as a digest of a bot's sources.
    """
    base = cache_root() / engine_digest()
    if not base.exists():
        _throw_old_away(cache_root())
    folder = base.joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(base)
    return folder


def _throw_old_away(root: Path) -> None:
    if not root.is_dir():
        return
    for folder in root.iterdir():
        try:
            if len(folder.name) == 16 and time.time() - folder.stat().st_mtime > _KEPT_FOR:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # another process was quicker
            continue


@contextmanager
def caching_in(folder: Path) -> Iterator[None]:
    """Let Numba keep what is compiled inside the block in this folder, and put its setting back.

    Numba reads the setting when a function is decorated, so other code in the process is not affected.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of the engine, kept on disk under the digest of the engine's sources.

    No fast-math: the same code must play alike on every processor.
    """
    with caching_in(cache_folder()):
        return numba.njit(cache=True, nogil=True)(function)


def compiled_inline(function: Callable[..., Any]) -> Any:
    """Compile like `compiled`, and let LLVM put the body wherever it is called: for the steps of a turn."""
    with caching_in(cache_folder()):
        return numba.njit(cache=True, nogil=True, forceinline=True)(function)
