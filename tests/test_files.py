"""Files written as a whole: also where something is there that is no file."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from harness.files import written_whole


def test_a_file_is_replaced_at_the_end_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with pytest.raises(RuntimeError), written_whole(file) as new:
        new.write_text("half")
        raise RuntimeError
    assert file.read_text() == "old" and list(tmp_path.iterdir()) == [file]
    with written_whole(file) as new:
        new.write_text("new")
        assert file.read_text() == "old"
    assert file.read_text() == "new" and list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "there/a.txt")
    with written_whole(link) as new:
        new.write_text("new")
    assert link.is_symlink() and (tmp_path / "there/a.txt").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    """A replay once put a file in the place of the device it was sent to."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()), daemon=True)
    reader.start()
    with written_whole(pipe) as new:
        new.write_text("told")
    reader.join(10)
    assert heard == ["told"] and pipe.is_fifo()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), written_whole(tmp_path):
        pass
