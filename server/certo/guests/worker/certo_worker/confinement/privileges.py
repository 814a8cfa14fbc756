"""Dropping of all privileges, and protection of the process's memory."""

from __future__ import annotations

from typing import List

from certo_worker.confinement.kernel import drop_capability_sets, prctl

_SET_DUMPABLE = 4
_CAPBSET_DROP = 24
_SET_NO_NEW_PRIVS = 38
_CAP_AMBIENT, _CLEAR_ALL = 47, 4

_dropped: List[bool] = []


def drop() -> None:
    """Drop every capability, including those that a program started later could regain.

    Raises:
        OSError: The kernel refused.
    """
    if _dropped:
        return
    prctl(_SET_NO_NEW_PRIVS, 1)
    prctl(_CAP_AMBIENT, _CLEAR_ALL)
    for capability in range(64):
        try:
            prctl(_CAPBSET_DROP, capability)
        except OSError:
            # Past the last capability, or an ordinary process, which can gain none after no_new_privs.
            break
    drop_capability_sets()
    # After the system call filter a copy of this process could not even make these calls again.
    _dropped.append(True)


def hide() -> None:
    """Keep processes without privileges from reading or writing our memory, by ptrace or through /proc.

    Raises:
        OSError: The kernel refused.
    """
    prctl(_SET_DUMPABLE, 0)


def show() -> None:
    """Undo `hide`, which a forked child inherits.

    Raises:
        OSError: The kernel refused.
    """
    prctl(_SET_DUMPABLE, 1)
