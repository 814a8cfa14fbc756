"""Where a process is: its directory and its environment, which tests change and candidates look at."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

from certo_worker.apart.unseen import untold


class Surroundings:
    """Tells what changed in the tests' process since it was told last."""

    def __init__(self) -> None:
        self._directory: Optional[str] = os.getcwd()
        self._environment = untold(os.environ)

    def changed(self) -> Optional[Dict[str, Any]]:
        """Return the directory and the environment if one of them changed."""
        try:
            directory: Optional[str] = os.getcwd()
        except OSError:
            directory = self._directory
        # pytest says there which test is running, which is nothing to the candidate.
        environment = untold(os.environ)
        if directory == self._directory and environment == self._environment:
            return None
        self._directory, self._environment = directory, environment
        return {"directory": directory, "environment": environment}


def follow(told: Any) -> None:
    """Be where the tests' process is."""
    if not told:
        return
    os.environ.clear()
    os.environ.update(told["environment"])
    try:
        os.chdir(told["directory"])
    except OSError:
        # A directory that is hidden from the candidate is one it cannot be in.
        return
