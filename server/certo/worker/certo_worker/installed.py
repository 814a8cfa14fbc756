"""Where an environment has the programs that were installed into it."""

from __future__ import annotations

import os
import sys
import sysconfig

from certo_worker.remark import Trouble


def program(name: str) -> str:
    """Return where the environment has a program: beside its Python, or where that installs programs otherwise.

    Raises:
        Trouble: it has none of that name.
    """
    file = name + ".exe" if os.name == "nt" else name
    for place in (os.path.dirname(sys.executable), sysconfig.get_path("scripts")):
        path = os.path.join(place, file)
        if os.access(path, os.X_OK):
            return path
    raise Trouble("absent")
