"""Set-up of a run in two processes, for each of the two."""

from __future__ import annotations

import os
import socket
import sys
from typing import Any, Dict, Optional

from certo_worker.apart.client import Client
from certo_worker.apart.environment import hide_test_environment
from certo_worker.apart.original_classes import OriginalClasses
from certo_worker.apart.output import Printed
from certo_worker.apart.remote_module import FirstFinder, RemoteFinder
from certo_worker.apart.server import Server
from certo_worker.canary.wrong_values import Decoy
from certo_worker.observation.case_record import CaseRecord

_PATIENCE = 2.5
"""Time-out of an answer in time limits of one test. It counts only outside tests, and may pass twice."""


def candidate(_request: Dict[str, Any], peer: socket.socket) -> None:
    """Serve as the candidate's process until the test process closes the connection."""
    printed = Printed()
    printed.install()
    server = Server(peer, printed)
    hide_test_environment()
    server.serve()


def judge(request: Dict[str, Any], peer: Optional[socket.socket], account: CaseRecord) -> Optional[Decoy]:
    """Make each import of the target's file yield a proxy, if there is a candidate's process (`peer`).

    The result finds for a proxy another one that should not equal it, which broken assertions compare with.
    """
    if peer is None:
        return None
    peer.settimeout(_PATIENCE * request["seconds"])
    root = os.path.abspath(request["root"])
    target = request["target"]
    file = os.path.join(root, target["file"])
    client = Client(peer, account, root, OriginalClasses(file, target["text"], target["line"]))
    finder = RemoteFinder(client, file)
    sys.meta_path = FirstFinder(finder, sys.meta_path)
    return client.decoy
