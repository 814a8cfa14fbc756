"""The editor's secret storage, asked for one key at a time; what it answers is told to nobody but who asked."""

from __future__ import annotations

import logging

import anyio
from pydantic import ValidationError
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from certo.features.doors import PATIENCE_SECONDS
from certo.protocol.secret import SECRET, SecretAnswer, SecretQuestion

log = logging.getLogger(__name__)


class SecretsOfEditor:
    """The way to one editor's secrets; `offered` is set once the editor has said whether it has a storage for them."""

    def __init__(self, server: LanguageServer) -> None:
        self.offered = False
        self._server = server

    async def ask(self, provider: str, name: str) -> str | None:
        """Ask for the key of a provider; None where there is none, or the editor does not answer as it should.

        The editor may ask its user, and is waited for as long as for any question that it may put to them.
        """
        if not self.offered:
            return None
        asked = SecretQuestion(provider=provider, name=name).model_dump(mode="json", by_alias=True)
        with anyio.move_on_after(PATIENCE_SECONDS):
            try:
                told = await self._server.protocol.send_request_async(SECRET, asked)
                return SecretAnswer.model_validate(told or {}, by_alias=True, by_name=False).secret
            except JsonRpcException:
                # Its words are not logged, for nobody knows what stands in them.
                log.warning("the editor refused to say whether it has %s", name)
            except ValidationError:
                log.warning("the editor answered %s with what is no answer", SECRET)
        return None
