"""Files are there whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from surefoot.errors import UnusableFile
from surefoot.files import file_mistake, written_whole


def test_a_finished_file_takes_its_place(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "down" / "table.txt"
    with written_whole(target) as part:
        assert part.suffix == ".txt"
        part.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert [path.name for path in target.parent.iterdir()] == ["table.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "table.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), written_whole(target) as part:
        part.write_text("half")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "film.mp4"
    with pytest.raises(UnusableFile, match="the disk is full; free some space or write to another disk"), written_whole(target) as part:
        part.write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []


def test_folders_and_devices_are_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="is a folder"), written_whole(tmp_path):
        pass
    with pytest.raises(UnusableFile, match="is not a regular file"), written_whole("/dev/null"):
        pass
    assert not Path("/dev/null").is_file()


def test_a_file_in_the_way_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(UnusableFile, match="a part of its path is a file"), written_whole(tmp_path / "runs" / "table.txt"):
        pass


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "walk.bvh").write_text("")
    asked = tmp_path / "wlak.bvh"
    mistake = file_mistake(FileNotFoundError(errno.ENOENT, "", str(asked)))
    assert str(mistake) == f"file '{asked}' does not exist; did you mean '{tmp_path / 'walk.bvh'}'?"
    alone = file_mistake(FileNotFoundError(errno.ENOENT, "", str(tmp_path / "none" / "x")))
    assert str(alone) == f"file '{tmp_path / 'none' / 'x'}' does not exist; the folder '{tmp_path / 'none'}' does not exist either"


def test_faults_of_the_program_are_not_blamed_on_the_user() -> None:
    assert file_mistake(OSError(errno.EBADF, "bad file descriptor")) is None


def test_trouble_with_another_file_is_told_of_that_file(tmp_path: Path) -> None:
    missing = tmp_path / "input.npz"
    with pytest.raises(UnusableFile, match=r"input\.npz' does not exist"), written_whole(tmp_path / "out.txt"):
        missing.read_bytes()
    assert list(tmp_path.iterdir()) == []
