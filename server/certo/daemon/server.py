"""The server object, to which features are added."""

from __future__ import annotations

import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from certo import __version__
from certo.daemon.pygls_fixes import RepairedProtocol, make_converter

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
