"""The remains of a hostile program are removed, and nothing else."""

from __future__ import annotations

import fcntl
import os
import resource
import socket
import stat
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from certo.sandbox.process.tree_removal import remove

_USER = 12345

_SET_FLAGS, _IMMUTABLE = 0x40086602, 0x10
"""FS_IOC_SETFLAGS and FS_IMMUTABLE_FL of the kernel's headers."""


def deeper_than_a_path_can_be(place: Path) -> None:
    """Far deeper than PATH_MAX, and than Python recurses."""
    directory = os.open(place, os.O_RDONLY)
    for _ in range(6000):
        os.mkdir("deep", dir_fd=directory)
        within = os.open("deep", os.O_RDONLY, dir_fd=directory)
        os.close(directory)
        directory = within
    os.close(os.open("file", os.O_CREAT, dir_fd=directory))
    os.close(directory)


def closed_directories(place: Path) -> None:
    for mode in (0o000, 0o100, 0o200, 0o400, 0o500):
        within = place / f"closed{mode}" / "in" / "it"
        within.mkdir(parents=True)
        (within / "file").write_text("text")
        (within / "file").chmod(0)
        for directory in (within, within.parent, within.parent.parent):
            directory.chmod(mode)


def names_of_every_kind(place: Path) -> None:
    for name in (b"new\nline", b"\xff\xfe", b"x" * 255, b"-rf", b"certo-0", b" ", b"*", b"\x1b[2J"):
        os.mkdir(os.path.join(os.fsencode(place), name))
        with open(os.path.join(os.fsencode(place), name, name), "w"):
            pass


def names_that_are_wanted_for_moving(place: Path) -> None:
    for number in range(10):
        (place / f"certo-{number}" / "in" / f"certo-{number}" / "it").mkdir(parents=True)
    for number in range(10, 20):
        (place / f"certo-{number}").write_text("a file")


def pipes_and_sockets(place: Path) -> None:
    os.mkfifo(place / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(place / "socket"))
    (place / "nowhere").symlink_to("/there/is/no/such/place")
    (place / "round").symlink_to(place)


def many_files(place: Path) -> None:
    for number in range(30_000):
        os.close(os.open(place / str(number), os.O_CREAT))


ALL = [
    deeper_than_a_path_can_be,
    closed_directories,
    names_of_every_kind,
    names_that_are_wanted_for_moving,
    pipes_and_sockets,
    many_files,
]


@pytest.mark.usual_cases(
    "closed_directories", "names_of_every_kind", "names_that_are_wanted_for_moving", "pipes_and_sockets"
)
@pytest.mark.parametrize("fill", ALL)
def test_it_is_gone(fill: Callable[[Path], None], tmp_path: Path) -> None:
    directory = tmp_path / "directory"
    directory.mkdir()
    fill(directory)
    assert remove(directory) == ""
    assert not directory.exists()


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="these tests are being run by an ordinary user as it is")
@pytest.mark.parametrize("fill", ALL)
def test_an_ordinary_user_can_remove_it(fill: Callable[[Path], None]) -> None:
    place = Path(tempfile.mkdtemp(prefix="certo-removing-", dir="/tmp"))
    os.chown(place, _USER, _USER)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setgid(_USER)
            os.setuid(_USER)
            directory = place / "directory"
            directory.mkdir()
            os.chdir(place)
            fill(directory)
            status = 0 if remove(directory) == "" and not directory.exists() else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert remove(place) == ""
    assert os.waitstatus_to_exitcode(status) == 0


def test_few_descriptors_do_however_deep_it_is(tmp_path: Path) -> None:
    directory = tmp_path / "directory"
    directory.mkdir()
    deeper_than_a_path_can_be(directory)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 8, before[1]))
    try:
        assert remove(directory) == ""
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    """Hard links leave the files elsewhere as they are."""
    outside, directory = tmp_path / "outside", tmp_path / "directory"
    outside.mkdir(mode=0o750)
    (outside / "file").write_text("the user's")
    (directory / "within").mkdir(parents=True)
    (directory / "link").symlink_to(outside)
    (directory / "within" / "link").symlink_to(outside)
    os.link(outside / "file", directory / "within" / "hard")
    (outside / "file").chmod(0o440)
    assert remove(directory) == ""
    assert (outside / "file").read_text() == "the user's"
    assert (stat.S_IMODE(outside.stat().st_mode), stat.S_IMODE((outside / "file").stat().st_mode)) == (0o750, 0o440)


def test_directories_swapped_for_links_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, directory = tmp_path / "outside", tmp_path / "directory"
    outside.mkdir()
    (outside / "file").write_text("the user's")
    (directory / "within").mkdir(parents=True)
    opening = os.open

    def exchange(path: str, flags: int, *arguments: int, dir_fd: int | None = None) -> int:
        if path == "within":
            (directory / "within").rmdir()
            (directory / "within").symlink_to(outside)
            monkeypatch.setattr(os, "open", opening)
        return opening(path, flags, *arguments, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", exchange)
    assert "stays" in remove(directory)
    assert remove(directory) == ""
    assert (outside / "file").read_text() == "the user's"


def test_what_is_gone_already_is_no_error(tmp_path: Path) -> None:
    assert remove(tmp_path / "nothing") == ""


def flag(path: Path, flags: int) -> None:
    """Set the inode flags of a file, as `chattr` does."""
    file = os.open(path, os.O_RDONLY)
    try:
        fcntl.ioctl(file, _SET_FLAGS, struct.pack("l", flags))
    finally:
        os.close(file)


@pytest.mark.skipif(os.getuid() != 0, reason="only root makes a file unchangeable")
def test_unremovable_files_are_reported(tmp_path: Path) -> None:
    """The rest is gone."""
    directory = tmp_path / "directory"
    (directory / "within").mkdir(parents=True)
    for number in range(5):
        (directory / "within" / str(number)).write_text("text")
    kept = directory / "within" / "3"
    try:
        flag(kept, _IMMUTABLE)
    except OSError:
        pytest.skip("this file system makes no file unchangeable")
    try:
        assert "stays" in remove(directory)
        assert [path.name for path in directory.rglob("*") if path.is_file()] == ["3"]
    finally:
        flag(kept, 0)
    assert remove(directory) == ""
