"""Site-packages: normally added at interpreter start, in a worker only after confinement.

Installed packages may run code in every interpreter, so code of a project installed from its own folder may be imported
before anything else is done.
"""

from __future__ import annotations

import sys
from typing import Any, Dict

_WITHOUT = "-S"


def take_in(walls: Dict[str, Any]) -> None:
    """Add site-packages if this interpreter was started without them; `walls` is the active confinement."""
    if not sys.flags.no_site:
        return
    import site

    site.main()
    # It has cached values for the base installation of a virtual environment.
    sys.modules.pop("sysconfig", None)
    if walls["executes"] or not walls["seccomp"]:
        _start_others_with_them()


def _start_others_with_them() -> None:
    """Let child interpreters, as started by multiprocessing, have site-packages."""
    import subprocess

    ours = subprocess._args_from_interpreter_flags  # type: ignore[attr-defined]  # others of the library use it too
    subprocess._args_from_interpreter_flags = lambda: [flag for flag in ours() if flag != _WITHOUT]  # type: ignore[attr-defined]  # as above
