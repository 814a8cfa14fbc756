"""Probe of the kernel's confinement features by applying them: prints one JSON line for the executor."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict


def main() -> None:
    """Try every feature on this process and print those that work."""
    if sys.platform == "darwin":
        from certo_worker.confinement import seatbelt

        found = {"landlock": 0, "seccomp": False, "seatbelt": seatbelt.works()}
    elif sys.platform == "win32":
        from certo_worker.confinement import integrity

        found = {"landlock": 0, "seccomp": False, "integrity": integrity.works()}
    else:
        found = _on_linux()
    sys.stdout.write(json.dumps(found) + "\n")


def _on_linux() -> Dict[str, Any]:
    from certo_worker.confinement import landlock, seccomp

    found = {"landlock": landlock.version(), "seccomp": False}
    if found["landlock"]:
        try:
            landlock.restrict(["/usr"], [], tcp=False)
        except OSError:
            found["landlock"] = 0
    try:
        nothing = seccomp.Allowed(forks=False, executes=False, connects=False, attributes=False, alone=False)
        seccomp.install(nothing, os.getpid())
        found["seccomp"] = True
    except OSError:
        # A kernel without it, an unsupported processor, or a container that forbids it.
        found["seccomp"] = False
    return found
