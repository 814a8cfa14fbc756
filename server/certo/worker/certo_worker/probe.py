"""What the kernel offers to build walls of, found by building them here: one JSON line for the executor."""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Try everything on this process and print what works: Landlock's version, the filter, and Seatbelt on macOS."""
    if sys.platform == "darwin":
        from certo_worker import seatbelt

        sys.stdout.write(json.dumps({"landlock": 0, "seccomp": False, "seatbelt": seatbelt.works()}) + "\n")
        return
    from certo_worker import landlock, seccomp

    found = {"landlock": landlock.version(), "seccomp": False, "seatbelt": False}
    if found["landlock"]:
        try:
            landlock.restrict(["/usr"], [], tcp=False)
        except OSError:
            found["landlock"] = 0
    try:
        nothing = seccomp.Allowed(forks=False, executes=False, connects=False, attributes=False)
        seccomp.install(nothing, os.getpid())
        found["seccomp"] = True
    except OSError:
        # A kernel without it, a processor we have no numbers for, or a container that forbids it.
        found["seccomp"] = False
    sys.stdout.write(json.dumps(found) + "\n")
