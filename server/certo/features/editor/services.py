"""The editor's model and secrets, requested from the client; answers of models are streamed by notifications."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Any

import anyio
from pydantic import ValidationError
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from certo.features.editor.window import PATIENCE_SECONDS
from certo.llm.editor import EditorAnswer
from certo.llm.prompt import Finish, Prompt, Usage
from certo.protocol.editor_services import (
    ASK,
    SECRET,
    ModelAnswer,
    ModelDelta,
    ModelQuestion,
    ModelRefusal,
    ModelSampling,
    ModelTurn,
    SecretAnswer,
    SecretQuestion,
)
from certo.vocabulary.errors import ModelFailed

log = logging.getLogger(__name__)


class ModelOfEditor:
    """Access to one editor's model; `offered` is set from the editor's capabilities."""

    def __init__(self, server: LanguageServer) -> None:
        self.offered = False
        self._server = server
        self._listening: dict[str, Callable[[str], None]] = {}

    async def ask(self, prompt: Prompt, model: str, heard: Callable[[str], None], /) -> EditorAnswer:
        """Return the answer of the editor's model; cancellation sends `$/cancelRequest`.

        Raises:
            ModelFailed: The editor answered with an error or with an invalid answer.
        """
        token = secrets.token_hex(8)
        asked = question(token, model, prompt).model_dump(mode="json", by_alias=True)
        self._listening[token] = heard
        try:
            told = await self._server.protocol.send_request_async(ASK, asked)
            return _answer(ModelAnswer.model_validate(told, by_alias=True, by_name=False))
        except JsonRpcException as error:
            raise _refusal(error) from None
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "its result"
            raise ModelFailed(f"the editor answered {ASK} with what is no answer: {where}: {first['msg']}") from None
        finally:
            del self._listening[token]

    def hear(self, params: Any) -> None:
        """Pass on a piece of an answer; one that is no longer awaited is dropped."""
        try:
            delta = ModelDelta.model_validate(params, by_alias=True, by_name=False)
        except ValidationError as error:
            log.warning("ignored a piece of an answer: %s", error.errors(include_url=False, include_input=False)[0])
            return
        heard = self._listening.get(delta.token)
        if heard is not None:
            heard(delta.text)


def question(token: str, model: str, prompt: Prompt) -> ModelQuestion:
    """Return a prompt in the form of the wire."""
    return ModelQuestion(
        token=token,
        model=model,
        messages=tuple(ModelTurn.model_validate(message) for message in prompt.messages),
        sampling=ModelSampling.model_validate(prompt.sampling),
        schema=None if prompt.schema is None else dict(prompt.schema),
        schema_name=prompt.schema_name,
    )


def _answer(told: ModelAnswer) -> EditorAnswer:
    usage = told.usage
    return EditorAnswer(
        finish=Finish[told.finish.upper()],
        model=told.model,
        text=told.text,
        usage=None if usage is None else Usage(**usage.model_dump()),
    )


def _refusal(error: JsonRpcException) -> ModelFailed:
    """Return the failure for an editor's error; its retry hint counts only if it is well formed."""
    try:
        refusal = ModelRefusal.model_validate(error.data or {}, by_alias=True, by_name=False)
    except ValidationError:
        refusal = ModelRefusal()
    return ModelFailed(
        f"the editor's model did not answer: {error.message}",
        transient=refusal.transient,
        retry_after=refusal.retry_after,
    )


class SecretsOfEditor:
    """Access to one editor's secrets; `offered` is set from the editor's capabilities."""

    def __init__(self, server: LanguageServer) -> None:
        self.offered = False
        self._server = server

    async def ask(self, provider: str, name: str) -> str | None:
        """Return the key of a provider; None if there is none or the answer is invalid.

        The editor may ask its user, so the wait is as long as for any question to the user.
        """
        if not self.offered:
            return None
        asked = SecretQuestion(provider=provider, name=name).model_dump(mode="json", by_alias=True)
        with anyio.move_on_after(PATIENCE_SECONDS):
            try:
                told = await self._server.protocol.send_request_async(SECRET, asked)
                return SecretAnswer.model_validate(told or {}, by_alias=True, by_name=False).secret
            except JsonRpcException:
                # The message is not logged, because it may contain anything.
                log.warning("the editor refused to say whether it has %s", name)
            except ValidationError:
                log.warning("the editor answered %s with what is no answer", SECRET)
        return None
