"""Being in another place than the user: a process with another time zone, or another locale, than it began with."""

from __future__ import annotations

import os
import time
from typing import Dict


def go(environment: Dict[str, str]) -> None:
    """Set variables of the environment, and have the clock know of them.

    How texts are encoded was settled when the process began and stays so: files are read as they are at home.
    """
    if not environment:
        return
    os.environ.update(environment)
    if hasattr(time, "tzset"):
        time.tzset()
