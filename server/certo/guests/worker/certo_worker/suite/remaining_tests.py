"""Guest program that finds the files with tests that no name leads to the target from, and runs these as a whole."""

from __future__ import annotations

import socket
from typing import Any, Dict, Optional

from certo_worker.observation.failure_text import Tell
from certo_worker.suite import discovery, suite


def main(request: Dict[str, Any], tell: Tell, _peer: Optional[socket.socket] = None) -> None:
    """Run the tests that the program `baseline` leaves out of the same request, with the others of their files."""
    target = request["target"]
    found = discovery.find(request["root"], target["file"], target["qualname"], request["texts"], request["first"])
    besides = request["besides"]
    paths = [path for path in found.paths if found.left_out.get(path) and path not in besides]
    paths += [path for path in found.dropped if path not in besides]
    tell({"kind": "reach", "paths": paths, "rest": [], "documents": [], "stopped": ""})
    if paths:
        suite.main({**request, "paths": paths}, tell)
