"""The wheel: everything the code reads is in it, and it plays outside the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from a copy, so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    leave = shutil.ignore_patterns("__pycache__")
    for name in ("harness", "strategies"):
        shutil.copytree(ROOT / name, folder / "src" / name, ignore=leave)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "src" / name)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(folder),
        str(folder / "src"),
    ]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    return next(folder.glob("*.whl"))


@pytest.mark.xdist_group("wheel")
def test_every_file_is_in_the_wheel(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    here = {
        path.relative_to(ROOT).as_posix()
        for name in ("harness", "strategies")
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == here


@pytest.mark.xdist_group("wheel")
def test_the_wheel_plays_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    environment = os.environ | {"PYTHONPATH": str(installed)}

    def presi(*arguments: str) -> str:
        command = [sys.executable, "-c", "from harness.cli import main; main()", *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = [sys.executable, "-c", "import harness; print(harness.__file__)"]
    shown = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert shown.stdout.startswith(str(installed))
    assert "barajamos" in presi("tables")
    assert "linear" in presi("bots")
    presi("run", "--bots", "linear,chain,random", "--matches", "300", "--out", "run")
    assert (tmp_path / "run" / "ratings.csv").is_file()
    assert "<html" in presi("replay", "run", "--match", "7", "--format", "html")
    presi("new-bot", "mine.py")
    assert "ok" in presi("check", "mine.py:Mine", "--table", "naipera", "--matches", "1")
