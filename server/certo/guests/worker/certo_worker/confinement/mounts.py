"""File system of a run: limited memory at the writable places, and the overlay over the project.

All of it is mounted in a namespace of this process and its descendants, so that each fork of one process can have
another. Nothing here is undone: the mounts end with the last process that sees them.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence

from certo_worker.confinement.kernel import mount, unmount, unshare

_NEW_NAMESPACE = 0x20000
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _REMOUNT = 1, 2, 4, 32
_BIND, _AND_BELOW, _PRIVATE = 1 << 12, 1 << 14, 1 << 18
UNBINDABLE = 1 << 17
_FOR_ALL = 0o1777
_CANDIDATE, _EMPTY = "candidate", "empty"

Files = Dict[str, Optional[str]]


def lay_out(mounts: Dict[str, Any]) -> None:
    """Give this process the file system of one run; the right to mount must be dropped before project code runs.

    `mounts` is that part of an order: `roots` are the names under which the project is shown, the first the one the
    run starts in; `files` the overlay: path relative to the root → file that holds the text, None for a file that is
    deleted. `hidden` are files and directories that are to look empty. `places` are to be memory, and nothing is
    mounted below the first; together they hold `mebibytes` and `inodes` files.

    Raises:
        OSError: The kernel refused; the program must not be run then.
    """
    _alone()
    arrange(mounts)


def arrange(mounts: Dict[str, Any]) -> None:
    """Mount that in the mount namespace of this process.

    Raises:
        OSError: The kernel refused; the program must not be run then.
    """
    points = _mount_points()
    staging = mounts["places"][0]
    limits = "size={}m,nr_inodes={},mode=0755".format(mounts["mebibytes"], mounts["inodes"])
    mount("tmpfs", staging, "tmpfs", _NO_SETUID | _NO_DEVICES, limits)
    _overlay(mounts["roots"], mounts["files"], os.path.join(staging, _CANDIDATE), points)
    _hide(mounts["hidden"], os.path.join(staging, _EMPTY))
    # The first place is covered last: from then on the staging area is out of reach.
    for number, place in reversed(list(enumerate(mounts["places"]))):
        memory = os.path.join(staging, str(number))
        os.mkdir(memory)
        os.chmod(memory, _FOR_ALL)
        _cover(place, memory, points)
    os.chdir(mounts["roots"][0])


def lay_over(mounts: Dict[str, Any]) -> None:
    """Replace the overlay that was mounted before this process was forked, keeping the memory.

    Raises:
        OSError: The kernel refused; the program must not be run then.
    """
    _alone()
    arrange_over(mounts)


def arrange_over(mounts: Dict[str, Any]) -> None:
    """Mount that in the mount namespace of this process.

    Raises:
        OSError: The kernel refused; the program must not be run then.
    """
    points = _mount_points()
    staging = mounts["places"][0]
    mount("tmpfs", staging, "tmpfs", _NO_SETUID | _NO_DEVICES, "mode=0755")
    _overlay(mounts["roots"], mounts["files"], os.path.join(staging, _CANDIDATE), points)
    # The overlay keeps its layer after the staging area is unmounted.
    unmount(staging)
    os.chdir(mounts["roots"][0])


def show_again(place: str, again: str) -> None:
    """Bind a folder to another place, with all mounts in it except unbindable ones.

    Raises:
        OSError: The kernel refused.
    """
    mount(place, again, None, _BIND | _AND_BELOW)


def _alone() -> None:
    """Give this process a mount namespace of its own."""
    unshare(_NEW_NAMESPACE)
    # Mounts from here on propagate in neither direction.
    mount(None, "/", None, _AND_BELOW | _PRIVATE)


def without(files: Files, gone: Sequence[str]) -> Files:
    """Return the same overlay with some more files and directories deleted, including everything in them."""
    kept = {
        path: copy
        for path, copy in files.items()
        if not any(path == place or path.startswith(place + "/") for place in gone)
    }
    return {**kept, **dict.fromkeys(gone)}


def _overlay(roots: List[str], overlaid: Files, layer: str, points: List[str]) -> None:
    """Mount the overlay over the project, below each of its names."""
    own = os.path.realpath(roots[0])
    files = _within(own, overlaid)
    # Bind mounts do as long as files only change; new and deleted ones take an overlay file system.
    if all(copy is not None and os.path.isfile(os.path.join(own, within)) for within, copy in files.items()):
        for root in roots:
            for within, copy in files.items():
                mount(copy, os.path.join(root, within), None, _BIND)
        return
    _fill(layer, files)
    os.chdir(own)
    for root in roots:
        # Two lower layers and no writable one; the working directory stands for the project, whose path might need
        # escaping.
        options = "lowerdir={}:.,userxattr".format(layer)
        with _kept(_below(root, points)):
            mount("overlay", root, "overlay", _READ_ONLY | _NO_SETUID | _NO_DEVICES, options)


def _within(root: str, overlaid: Files) -> Files:
    """Return the overlay by real paths relative to `root`, without paths that are outside or do not exist."""
    files = {}
    for relative, copy in overlaid.items():
        path = os.path.join(root, *relative.split("/"))
        # A text replaces a link's target, but a deletion removes the link itself.
        real = os.path.realpath(path)
        if copy is None:
            real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if real.startswith(os.path.join(root, "")) and (copy is not None or os.path.lexists(real)):
            files[os.path.relpath(real, root)] = copy
    return files


def _fill(layer: str, files: Files) -> None:
    """Write the layer that lies over the project; a character device 0/0 marks a deleted file (a whiteout)."""
    for within, copy in files.items():
        os.makedirs(os.path.dirname(os.path.join(layer, within)), exist_ok=True)
        if copy is not None:
            _copy(copy, os.path.join(layer, within))
    for within, copy in files.items():
        # A directory in place of a file hides the file already.
        if copy is None and not os.path.isdir(os.path.join(layer, within)):
            os.mknod(os.path.join(layer, within), stat.S_IFCHR, os.makedev(0, 0))


def _hide(places: List[str], empty: str) -> None:
    """Mount an empty file or directory over each place; missing places are skipped."""
    if places:
        os.makedirs(os.path.join(empty, "directory"))
        open(os.path.join(empty, "file"), "x").close()
    for place in filter(os.path.exists, places):
        mount(os.path.join(empty, "directory" if os.path.isdir(place) else "file"), place, None, _BIND)
        mount(None, place, None, _BIND | _REMOUNT | _READ_ONLY | _NO_SETUID | _NO_DEVICES)


def _copy(copy: str, path: str) -> None:
    with open(copy, "rb") as text, open(path, "wb") as file:
        file.write(text.read())
        about = os.fstat(text.fileno())
    # The copy keeps a time that no cached bytecode has recorded.
    os.utime(path, ns=(about.st_mtime_ns, about.st_mtime_ns))


def _cover(place: str, memory: str, points: List[str]) -> None:
    """Mount memory over a place, with a directory or file for each mount point that stays visible in it."""
    below = _below(place, points)
    for path in below:
        own = os.path.join(memory, os.path.relpath(path, place))
        os.makedirs(own if os.path.isdir(path) else os.path.dirname(own), exist_ok=True)
        if not os.path.isdir(path):
            open(own, "x").close()
    with _kept(below):
        mount(memory, place, None, _BIND)


@contextmanager
def _kept(places: List[str]) -> Iterator[None]:
    """Bind the earlier contents of some places onto whatever is mounted meanwhile: the project may be within /tmp."""
    kept = [(place, os.open(place, os.O_PATH | os.O_CLOEXEC)) for place in places]
    yield
    for place, descriptor in kept:
        mount("/proc/self/fd/{}".format(descriptor), place, None, _BIND | _AND_BELOW)
        os.close(descriptor)


def _below(place: str, points: List[str]) -> List[str]:
    """Return the outermost of the mount points visible below `place`."""
    found: List[str] = []
    for point in points:
        within = point.startswith(place.rstrip("/") + "/") and os.path.lexists(point)
        if within and not (found and point.startswith(found[-1] + "/")):
            found.append(point)
    return found


def _mount_points() -> List[str]:
    """Return every mount point, an outer one before those in it."""
    with open("/proc/self/mountinfo", "rb") as mountinfo:
        points = {line.split(None, 5)[4] for line in mountinfo}
    return sorted((os.fsdecode(_unescaped(point)) for point in points), key=lambda point: point.split("/"))


def _unescaped(point: bytes) -> bytes:
    """Return a path as it is: the kernel writes blanks and backslashes in it as three octal digits."""
    if b"\\" not in point:
        return point
    for character in b" \t\n\\":
        point = point.replace(b"\\%03o" % character, bytes([character]))
    return point
