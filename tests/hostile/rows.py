"""Our own rows of hostile candidates."""

from __future__ import annotations

from hostile.attacks.files import FILES
from hostile.attacks.forging import FORGING
from hostile.attacks.network import NETWORK
from hostile.attacks.processes import PROCESSES
from hostile.attacks.using_up import USING_UP

ROWS = (*USING_UP, *FILES, *NETWORK, *PROCESSES, *FORGING)
