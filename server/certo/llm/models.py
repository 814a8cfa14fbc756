"""The models that the settings name, each with all that stands around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio

from certo.llm.connections import Connections
from certo.llm.ledger import Ledger, PaidCallLog
from certo.llm.model import ChatModel, ignore_text
from certo.llm.options import ModelOptions
from certo.llm.prompt import Delta, Prompt, Reply
from certo.llm.providers import PROVIDERS, ModelName, read_model_name
from certo.llm.scripted import read_script
from certo.llm.wrappers.budgeted import Budgeted
from certo.llm.wrappers.cached import Cached
from certo.llm.wrappers.defaults import DefaultedModel
from certo.llm.wrappers.prices import FREE, Price, Priced, listed_on, listed_price
from certo.llm.wrappers.rate_limit import RateLimitedModel
from certo.llm.wrappers.record_replay import Recording, RecordingModel, Replayed, Write, to_file
from certo.llm.wrappers.retries import Retrying
from certo.vocabulary.errors import BadSetting


class LazyModel:
    """A ChatModel whose making waits until somebody asks it: it takes a key, for which a user may have to be asked."""

    def __init__(self, name: str, make: Callable[[], Awaitable[ChatModel]]) -> None:
        self._name = name
        self._make = make
        self._making = anyio.Lock()
        self._made: ChatModel | None = None

    @property
    def name(self) -> str:
        """The name that the model will have."""
        return self._name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Make the model if it is not there yet, and ask it; raises what its making does."""
        model = await self.ready()
        return await model.answer(prompt, heard=heard)

    async def ready(self) -> ChatModel:
        """Make the model if it is not there yet, without asking it; raises what its making does."""
        async with self._making:
            if self._made is None:
                self._made = await self._make()
            return self._made


DEFAULT_GROUP = "model"
NAMED_GROUP = "models"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One model as the settings have it: its name, its options, what these are called, and what it costs, if known."""

    name: ModelName
    options: ModelOptions
    group: str
    price: Price | None

    @property
    def shown(self) -> str:
        """The name of the model as it is shown and recorded: a script goes by the name of its file alone."""
        return f"scripted:{Path(self.name.model).name}" if self.name.provider == "scripted" else str(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """All that the settings say of models: the default one, and those that have a name."""

    default: ModelOptions = field(default_factory=ModelOptions)
    named: Mapping[str, ModelOptions] = field(default_factory=dict)

    def choose(self, name: str = "") -> Chosen:
        """The model of that name, or that `provider:model` says; the empty name is the default.

        Raises:
            BadSetting: there is no such model or provider, or the options do not go together with it.
        """
        if name in self.named:
            return _chosen(self.named[name], f"{NAMED_GROUP}.{name}")
        if not name:
            if not self.default.name:
                raise BadSetting(
                    "a language model was asked for, and no model is set up here; "
                    "name one in model.name, as in openai:gpt-5-mini or ollama:qwen3"
                )
            return _chosen(self.default, DEFAULT_GROUP)
        try:
            read = read_model_name(name, setting="model")
        except BadSetting as error:
            known = f"; the settings name {', '.join(self.named)}" if self.named else ""
            raise BadSetting(f"{error}{known}") from error
        return _chosen(self._as_default(read), DEFAULT_GROUP)

    def _as_default(self, name: ModelName) -> ModelOptions:
        """The options of the default model, but for those that belong to another model, or another provider."""
        options = replace(self.default, name=str(name), input_dollars=None, cached_dollars=None, output_dollars=None)
        if self.default.name and read_model_name(self.default.name).provider == name.provider:
            return options
        return replace(options, base_url=None, key_variable=None, api_version=None)


class ConfiguredModels:
    """The models of one search: asked through the session's connections, paid from the search's ledger.

    From the outside in: the options fill in what a prompt does not say; all of it is recorded; kept answers are given
    again; the rest is tried again, paid for, priced, and sent when it is its turn.
    """

    def __init__(
        self,
        choice: ModelChoice,
        connections: Connections,
        ledger: Ledger,
        *,
        record: Path | None,
        replay: Path | None,
        keep: Write | None = None,
        receipts: PaidCallLog | None = None,
        background: bool = False,
    ) -> None:
        """Make models; `record` and `replay` are files for what is asked and answered.

        `keep` is told of the same, also of what is replayed. What calls took goes to `receipts`, and what was paid for
        comes from there. In the `background` all that is asked of them lets others go first.

        Raises:
            BadSetting: the file to replay is not as it should be.
        """
        self._choice = choice
        self._connections = connections
        self._ledger = ledger
        self._record = to_file(record) if record is not None else None
        self._keep = keep
        self._receipts = receipts
        self._background = background
        self._recording = Recording(replay) if replay is not None else None
        self._made: dict[str, ChatModel] = {}
        self._late: dict[Chosen, LazyModel] = {}

    def named(self, name: str = "", /) -> ChatModel:
        """The model the settings have under this name, or that `provider:model` says; the empty name is the default.

        A key that is missing is told when the model is first asked.

        Raises:
            BadSetting: there is no such model or provider; the message says which setting to give.
        """
        if name not in self._made:
            chosen = self._choice.choose(name)
            self._made[name] = DefaultedModel(self._built(chosen), chosen.options, background=self._background)
        return self._made[name]

    async def ready(self, names: Iterable[str]) -> None:
        """Find the keys of the models of these names, until there is one that can be asked.

        A model whose answers are kept may never need its key, so it is taken for one that can.

        Raises:
            BadSetting: none of them can be asked, or there is no such model; the message says which setting to give.
        """
        refused: list[BadSetting] = []
        for name in names:
            self.named(name)
            late = self._late.get(self._choice.choose(name))
            if late is None:
                return
            try:
                await late.ready()
            except BadSetting as error:
                refused.append(error)
            else:
                return
        if refused:
            raise BadSetting(" ".join(dict.fromkeys(map(str, refused)))) from refused[0]

    def _built(self, chosen: Chosen) -> ChatModel:
        self._check_price(chosen)
        model = self._answering(chosen)
        return RecordingModel(model, self._keep) if self._keep is not None else model

    def _answering(self, chosen: Chosen) -> ChatModel:
        if self._recording is not None:
            return Budgeted(Replayed(chosen.shown, self._recording), self._ledger, chosen.price, self._receipts)
        source = self._source(chosen)
        limited = RateLimitedModel(source, self._connections.pace(chosen.name, chosen.options))
        paid = Budgeted(Priced(limited, chosen.price), self._ledger, chosen.price, self._receipts)
        model: ChatModel = Retrying(paid, tries=chosen.options.tries)
        if chosen.options.cache:
            model = Cached(model, self._connections.answers)
        return RecordingModel(model, self._record) if self._record is not None else model

    def _source(self, chosen: Chosen) -> ChatModel:
        """Whoever answers in the end."""
        name, options = chosen.name, chosen.options
        if name.provider == "scripted":
            return read_script(Path(name.model).expanduser())
        if name.provider == "editor":
            return self._connections.of_editor(name, options, chosen.group)
        late = LazyModel(str(name), lambda: self._connections.reach(name, options, chosen.group))
        if not options.cache:
            self._late[chosen] = late
        return late

    def _check_price(self, chosen: Chosen) -> None:
        """Refuse a model whose price nobody knows where dollars are limited: the limit could not be kept.

        Raises:
            BadSetting: it is so.
        """
        if chosen.price is None and self._ledger.budget.dollars is not None:
            raise BadSetting(
                f"search.dollars = {self._ledger.budget.dollars:g} cannot be kept to: the price of {chosen.name} is "
                f"not known (the table is of {listed_on()}); set {chosen.group}.input_dollars and "
                f"{chosen.group}.output_dollars, or do not set search.dollars"
            )


def _chosen(options: ModelOptions, group: str) -> Chosen:
    name = read_model_name(options.name, setting=f"{group}.name")
    provider = PROVIDERS.get(name.provider)
    if provider is not None and not (options.base_url or provider.base_url):
        raise BadSetting(f"{group}.base_url has to be set for {name}: {provider.name} has no address for everybody")
    if provider is None and (options.base_url or options.key_variable):
        raise BadSetting(f"{group}.base_url and {group}.key_variable are of no use for {name}; do not set them")
    if options.api_version is not None and name.provider not in ("azure", "openai"):
        raise BadSetting(f"{group}.api_version is for Azure, and of no use for {name}; do not set it")
    return Chosen(name=name, options=options, group=group, price=_price(name, options))


def _price(name: ModelName, options: ModelOptions) -> Price | None:
    """What the settings say it costs, or else the list of a provider that is asked at its own address."""
    if options.input_dollars is not None and options.output_dollars is not None:
        cached = options.input_dollars if options.cached_dollars is None else options.cached_dollars
        return Price(input=options.input_dollars, cached=cached, output=options.output_dollars)
    if name.provider == "scripted" or (name.provider == "ollama" and not name.model.endswith("cloud")):
        return FREE
    return None if options.base_url else listed_price(name.provider, name.model)
