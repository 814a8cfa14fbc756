"""Where an environment has the programs that were installed into it."""

from __future__ import annotations

import os
import sys
import sysconfig

from certo_worker.remark import Trouble


def program(name: str, own: str = "") -> str:
    """Return where the environment has a program: beside its Python, or where that installs programs otherwise.

    One in the directory `own`, if that is given, will do when the environment has none.

    Raises:
        Trouble: there is none of that name.
    """
    file = name + ".exe" if os.name == "nt" else name
    for place in (os.path.dirname(sys.executable), sysconfig.get_path("scripts"), *([own] if own else [])):
        path = os.path.join(place, file)
        if os.access(path, os.X_OK):
            return path
    raise Trouble("absent")
