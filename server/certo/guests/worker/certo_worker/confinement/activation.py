"""Activation of a program's confinement before any code of the project runs: no privileges, few files, few calls."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Sequence, Set

_applied: List[Dict[str, Any]] = []
"""The order by which this process is confined, once it is."""


def require(walls: Dict[str, Any]) -> None:
    """Check, before a program is started, that this interpreter supports the requested confinement.

    Raises:
        OSError: It does not; the message gives the reason.
    """
    if walls.get("seatbelt"):
        from certo_worker.confinement import seatbelt

        seatbelt.require()
    if not (walls["landlock"] or walls["seccomp"]):
        return
    try:
        from certo_worker.confinement import landlock, seccomp
    except (ImportError, AttributeError) as error:
        raise OSError("this Python has no working ctypes, which certo needs to confine it: {}".format(error)) from error
    if walls["landlock"] and not landlock.version():
        raise OSError("the kernel offers no Landlock here")
    if walls["seccomp"]:
        seccomp.program(_allowed(walls), os.getpid())


def apply_confinement(walls: Dict[str, Any], apart: Sequence[str] = ()) -> None:
    """Confine this process and all it starts, for good; the keys are those of the order.

    `landlock` and `seccomp` are True if they are to be used; `readable` and `writable` are places; `forks`, `executes`
    and `connects` are permissions. `alone` means that the run has a file system and a network of its own. `apart` are
    unreadable files and directories, wherever they are; Landlock or Seatbelt enforces that, as for those that the order
    hides from every process. `seatbelt` is the profile for macOS, which has nothing else, and `integrity` requests low
    integrity on Windows; elsewhere they are empty or missing.

    Raises:
        OSError: The kernel refused; the program must not be run then.
    """
    _applied[:] = [walls]
    hidden = [*apart, *walls["hidden"]]
    if walls.get("seatbelt"):
        from certo_worker.confinement import seatbelt

        seatbelt.restrict(walls["seatbelt"] + (walls["seatbelt_hiding"] if apart else ""))
    if walls.get("integrity"):
        from certo_worker.confinement import integrity

        for place in filter(os.path.isdir, walls["writable"]):
            integrity.open_to_low(place)
        integrity.lower()
    if not (walls["landlock"] or walls["seccomp"]):
        return
    # A Python without libffi has no ctypes, and must still run things if no confinement is requested.
    from certo_worker.confinement import landlock, privileges, seccomp

    # Capabilities go first: with them the rest could be undone, dropping them takes capset(2), which the filter
    # refuses, and no_new_privs, set together with dropping them, is what lets an ordinary process use the other two.
    privileges.drop()
    if walls["forks"] or walls["landlock"]:
        # The executor finds the processes of a run by a mark in their environment, which is otherwise hidden, as are
        # their open files. Landlock keeps other runs from reading either.
        privileges.show()
    if walls["landlock"]:
        readable = [place for each in walls["readable"] for place in _without(each, hidden)]
        listed = [each for each in walls["readable"] if hidden]
        landlock.restrict([*readable, *_own_process()], walls["writable"], listed=listed, tcp=walls["connects"])
    if walls["seccomp"]:
        seccomp.install(_allowed(walls), os.getpid())


def conceal(hidden: Sequence[str]) -> None:
    """Close files and directories to this process and all it starts, for good, and the memory of others to them.

    Nothing happens where the kernel has no Landlock, or the order does not use it.
    """
    if not _applied or not _applied[0]["landlock"]:
        return
    from certo_worker.confinement import landlock

    [walls] = _applied
    readable = [place for each in walls["readable"] for place in _without(each, [*hidden, *walls["hidden"]])]
    # A process in a layer of its own cannot trace one that is not, nor read its memory.
    landlock.restrict([*readable, *_own_process()], walls["writable"], listed=walls["readable"], tcp=walls["connects"])


def foresee_seal() -> None:
    """Do once the work that all copies of this process would repeat to seal themselves."""
    for walls in _applied:
        foresee(walls)


def seal() -> None:
    """Let this process write no file and start no other, for good; threads it may start.

    Nothing happens as far as the order does not use Landlock or a filter of calls.
    """
    if not _applied:
        return
    [walls] = _applied
    if walls["landlock"]:
        from certo_worker.confinement import landlock

        # What can be read is decided by the layers before; none of them opens /proc of the process itself.
        landlock.restrict(["/"], (), tcp=False)
    if walls["seccomp"]:
        from certo_worker.confinement import seccomp

        strict = {**walls, "forks": False, "executes": False, "connects": False}
        seccomp.install(_allowed(strict), os.getpid())


def _allowed(walls: Dict[str, Any]) -> Any:
    from certo_worker.confinement.seccomp import Allowed

    return Allowed(
        forks=walls["forks"],
        executes=walls["executes"],
        connects=walls["connects"],
        # With a file system of its own, a run can change no attributes of the user's files; elsewhere a program trusted
        # to start others is trusted with this too, since copying a file sets its mode.
        attributes=walls["alone"] or walls["executes"],
        alone=walls["alone"],
    )


def foresee(walls: Dict[str, Any]) -> None:
    """Do once the work that all copies of this process would repeat to apply the strictest such confinement."""
    if walls["seccomp"]:
        from certo_worker.confinement import seccomp

        seccomp.foresee(_allowed({**walls, "forks": False, "executes": False, "connects": False}))


def _without(place: str, hidden: Sequence[str]) -> Iterator[str]:
    """Yield the places that together are `place` without `hidden`."""
    within = {each for each in hidden if each == place or each.startswith(place.rstrip(os.sep) + os.sep)}
    above = {path[:end] for path in within for end, letter in enumerate(path) if letter == os.sep}
    yield from _pieces(place, within, above) if within else [place]


def _pieces(place: str, hidden: Set[str], above: Set[str]) -> Iterator[str]:
    """Yield the same, where `above` are the directories that contain something `hidden`."""
    if place not in hidden and place.rstrip(os.sep) not in above:
        yield place
    elif place not in hidden and os.path.isdir(place):
        for name in sorted(os.listdir(place)):
            # A rule for a link would apply to its target: something hidden, perhaps, or outside the project.
            if not os.path.islink(os.path.join(place, name)):
                yield from _pieces(os.path.join(place, name), hidden, above)


def _own_process() -> List[str]:
    # /proc/self resolves for the process that follows it, so the directory itself must be allowed.
    return ["/proc/{}".format(os.getpid())]
