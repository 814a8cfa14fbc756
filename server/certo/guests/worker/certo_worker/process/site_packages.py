"""Taking in the installed packages, which an interpreter does when it starts, and a worker's behind its walls.

What is installed may have code run in every interpreter, so that code of a project which is installed from its own
folder may be imported before anything else is done.
"""

from __future__ import annotations

import sys
from typing import Any, Dict

_WITHOUT = "-S"


def take_in(walls: Dict[str, Any]) -> None:
    """Do what this interpreter was started without, if it was; `walls` are those that stand."""
    if not sys.flags.no_site:
        return
    import site

    site.main()
    # What was asked of it before, it has noted for the Python that a virtual environment is made from.
    sys.modules.pop("sysconfig", None)
    if walls["executes"] or not walls["seccomp"]:
        _start_others_with_them()


def _start_others_with_them() -> None:
    """Whoever starts another Python like this one, as multiprocessing does, means one that has its packages."""
    import subprocess

    ours = subprocess._args_from_interpreter_flags  # type: ignore[attr-defined]  # others of the library use it too
    subprocess._args_from_interpreter_flags = lambda: [flag for flag in ours() if flag != _WITHOUT]  # type: ignore[attr-defined]  # as above
