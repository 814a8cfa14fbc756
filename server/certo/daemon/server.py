"""The server object, and the assembly of its features."""

from __future__ import annotations

import logging
import os

from anyio.abc import TaskGroup
from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from certo import __version__
from certo.daemon.pygls_fixes import RepairedProtocol, make_converter
from certo.features.editor.session import EditorSession
from certo.features.table import register
from certo.sessions.searches import Searches
from certo.storage.location import journal_folder
from certo.verification.dynamic.warm_pool import WarmProjects

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls' server on the repaired protocol."""

    protocol: RepairedProtocol

    def __init__(self) -> None:
        self.converter = make_converter()
        super().__init__(
            name="certo",
            version=__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=RepairedProtocol,
            converter_factory=lambda: self.converter,
        )

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Log an error; pygls would show it to the user with its traceback."""
        traceback = (getattr(error, "data", None) or {}).get("traceback", ())
        if not traceback:
            logger.warning("refused: %s", error)
            return
        logger.error("%s: %s", source.__name__, error)
        for line in traceback:
            logger.error("%s", line.rstrip())


def assemble(server: Server, group: TaskGroup, searches: Searches) -> None:
    """Register every feature with `server`; background work of its client runs in `group`."""
    desk = EditorSession(server, group, searches)
    desk.begin(server.protocol.opening)
    register(server, desk)


def assemble_alone(server: Server, group: TaskGroup) -> None:
    """Register every feature for a client that has the daemon to itself: searches end with it too."""
    projects = WarmProjects(group, prepares_next=True)
    assemble(server, group, Searches(group, journals=journal_folder(os.environ), projects=projects))
