"""The pipes of a program in the process that was started for it, where none can be forked: its standard streams."""

from __future__ import annotations

import os
from typing import Tuple

_STARTED = b'{"started": true}\n'


def take_streams() -> Tuple[int, int]:
    """Take standard output for our messages and standard input for the rest of the order; say that we are here.

    What the program prints goes to standard error, and it finds nothing to read.
    """
    said, orders = os.dup(1), os.dup(0)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.write(said, _STARTED)
    return said, orders
