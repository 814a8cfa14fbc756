"""On whose account a language model is asked: which models there are, who pays, and where it is put down."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import field, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certo.api.contextual_model import ContextualModel
from certo.llm.connections import Connections
from certo.llm.ledger import Ledger
from certo.llm.model import ChatModel, Models, NoModels, ignore_text
from certo.llm.models import ConfiguredModels
from certo.llm.options import ModelOptions
from certo.llm.prompt import Delta, Message, Prompt, Reply
from certo.llm.wrappers.budgeted import Budgeted
from certo.project.root import find_root
from certo.sessions.assembly.models import choice_of, connect
from certo.vocabulary.cost import Budget
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.api.context_log import ContextLog, Purpose
    from certo.api.tracing import Span, Trace
    from certo.settings.schema import Settings


ReadSettings = Callable[[], "tuple[Path, Settings]"]
"""Returns the root of the working directory's project and the settings there, the same within one account."""


def no_models(_: Ledger) -> Models:
    """Return models that have no names."""
    return NoModels()


def no_options(_: str) -> ModelOptions:
    """Return options that say nothing."""
    return ModelOptions()


@dataclass(frozen=True, kw_only=True)
class ModelContext:
    """The context in which a model is asked.

    `models` makes the models that go by a name for whoever pays with a ledger; `ledger` is that of the search in which
    it is asked, and None outside of one. `options` are what the settings say of the model of that name. `log` and
    `trace` put down what is said, as a conversation of `purpose`.
    """

    models: Callable[[Ledger], Models] = no_models
    options: Callable[[str], ModelOptions] = no_options
    ledger: Ledger | None = None
    log: ContextLog | None = None
    trace: Trace | None = None
    purpose: Purpose = "main"
    _named: dict[str, ChatModel] = field(default_factory=dict, repr=False)
    _limited: dict[Ledger, ModelContext] = field(default_factory=dict, repr=False)

    def model(self, model: str | ChatModel) -> ChatModel:
        """Return a model in this context, by its name or as it is; of a `ContextualModel`, the model it stands for."""
        if isinstance(model, ContextualModel):
            return self.model(model.asked)
        if not isinstance(model, str):
            return Budgeted(model, self.ledger, None) if self.ledger is not None else model
        if model not in self._named:
            self._named[model] = self.models(self.ledger or Ledger(Budget())).named(model)
        return self._named[model]

    def limited(self, ledger: Ledger) -> ModelContext:
        """Return the same context with a ledger of its own; within a search, the search's ledger pays all the same."""
        if self.ledger is not None:
            return self
        if ledger not in self._limited:
            self._limited[ledger] = replace(self, ledger=ledger, _named={}, _limited={})
        return self._limited[ledger]

    def of_search(self, ledger: Ledger) -> ModelContext:
        """Return the same context for a search's questions, which its ledger pays."""
        return replace(self, ledger=ledger, purpose="judge", _named={}, _limited={})

    async def answer(
        self, model: str | ChatModel, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text
    ) -> Reply:
        """Ask a model, and put down what was said; see `ChatModel`."""
        chosen = self.model(model)
        measured = self.trace.span("model.answer", model=chosen.name, purpose=self.purpose) if self.trace else None
        with measured or nullcontext() as span:
            reply = await chosen.answer(prompt, heard=heard)
            if span is not None:
                _note(span, reply)
        if self.log is not None:
            answer = Message(role="assistant", text=reply.text)
            self.log.add(self.purpose, prompt.messages, answer, model=reply.model)
        return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The settings with which a context is opened if none is in force, and the log and trace for what is said."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    log: ContextLog | None = None
    trace: Trace | None = None


def _models(read: ReadSettings, connections: Connections, ledger: Ledger) -> Models:
    """Return the models that the settings of the working directory's project name; `ledger` pays for their answers.

    Raises:
        BadSetting: a setting is unknown or malformed.
    """
    root, settings = read()
    return ConfiguredModels(
        choice_of(settings),
        connections,
        ledger,
        record=_below(root, settings.search.record),
        replay=_below(root, settings.search.replay),
    )


def _options(read: ReadSettings, name: str) -> ModelOptions:
    """Return the options that the settings have for the model of that name; the empty name is the default.

    Raises:
        BadSetting: a setting is unknown or malformed, or there is no such model.
    """
    _, settings = read()
    return choice_of(settings).choose(name).options


def _settings(given: Opening) -> tuple[Path, Settings]:
    """Return the root of the working directory's project, and the settings there.

    Raises:
        BadSetting: a setting is unknown or malformed.
    """
    root = find_root(Path.cwd() / "any.py")
    # Imported by name: the settings are made of the options of all folders, and many programs only name a model.
    load_settings = import_module("certo.settings.loader").load_settings
    settings: Settings = load_settings(root, client=None, environ=os.environ, flags=given.settings)
    return root, settings


def _below(root: Path, path: str | None) -> Path | None:
    return None if path is None else root / Path(path).expanduser()


_current: ContextVar[ModelContext | None] = ContextVar("certo.account", default=None)
_opening: ContextVar[Opening] = ContextVar("certo.opening", default=Opening())  # noqa: B039 - a frozen value


in_force: ContextVar[Any] = ContextVar("certo.runtime", default=None)
"""The `Runtime` of the block or of the call that goes on; None outside of all. Its type would close a cycle."""


def current_account() -> ModelContext:
    """Return the context in force here, or an empty one."""
    return _current.get() or ModelContext()


def open_account(account: ModelContext) -> None:
    """Put an account in force for the rest of this task and for all tasks it starts from now on."""
    _current.set(account)


@contextmanager
def opening(given: Opening) -> Iterator[None]:
    """Have accounts that are opened within a block opened with this; whatever account is in force outside of it."""
    token, account = _opening.set(given), _current.set(None)
    try:
        yield
    finally:
        _current.reset(account)
        _opening.reset(token)


@asynccontextmanager
async def working() -> AsyncIterator[ModelContext]:
    """Yield the account in force, or else one that is opened for this block, with connections to models of its own."""
    account = _current.get()
    if account is not None:
        yield account
        return
    given = _opening.get()
    async with connect(os.environ) as connections:
        read = cache(partial(_settings, given))
        models = partial(_models, read, connections)
        account = ModelContext(models=models, options=cache(partial(_options, read)), log=given.log, trace=given.trace)
        token = _current.set(account)
        try:
            yield account
        finally:
            _current.reset(token)


@dataclass(frozen=True, slots=True)
class Purposed:
    """A model whose conversations have a purpose of their own."""

    inner: ChatModel
    purpose: Purpose

    @property
    def name(self) -> str:
        """Provider and model, as shown to the user."""
        return self.inner.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Answer a prompt; see `ChatModel`."""
        token = _current.set(replace(current_account(), purpose=self.purpose))
        try:
            return await self.inner.answer(prompt, heard=heard)
        finally:
            _current.reset(token)


def _note(span: Span, reply: Reply) -> None:
    span.attributes |= {"calls": reply.calls, "finish": reply.finish.value, "dollars": reply.dollars}
    if reply.usage is not None:
        span.attributes |= {"tokens.input": reply.usage.input_tokens, "tokens.output": reply.usage.output_tokens}
