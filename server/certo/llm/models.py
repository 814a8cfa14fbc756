"""Models from the settings, each with its wrappers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import field, replace
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
from certo.vocabulary.records import dataclass


class LazyModel:
    """A ChatModel created on first use, because that needs a key and may prompt the user for one."""

    def __init__(self, name: str, make: Callable[[], Awaitable[ChatModel]]) -> None:
        self._name = name
        self._make = make
        self._making = anyio.Lock()
        self._made: ChatModel | None = None

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Create the model if necessary and ask it; errors of its creation are raised here."""
        model = await self.ready()
        return await model.answer(prompt, heard=heard)

    async def ready(self) -> ChatModel:
        """Return the model, created if necessary, without asking it; errors of its creation are raised."""
        async with self._making:
            if self._made is None:
                self._made = await self._make()
            return self._made


DEFAULT_GROUP = "model"
NAMED_GROUP = "models"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One configured model: name, options, the settings' name for messages, and price if known."""

    name: ModelName
    options: ModelOptions
    group: str
    price: Price | None

    @property
    def shown(self) -> str:
        """The displayed and recorded name of the model; of a script, only the file name."""
        return f"scripted:{Path(self.name.model).name}" if self.name.provider == "scripted" else str(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """All models in the settings: the default one and the named ones."""

    default: ModelOptions = field(default_factory=ModelOptions)
    named: Mapping[str, ModelOptions] = field(default_factory=dict)

    def choose(self, name: str = "") -> Chosen:
        """Return the model with this name, or the one `provider:model` names; the empty name is the default.

        Raises:
            BadSetting: There is no such model or provider, or its options contradict it.
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
        """Return the default model's options, except those that fit only its own model or provider."""
        options = replace(self.default, name=str(name), input_dollars=None, cached_dollars=None, output_dollars=None)
        if self.default.name and read_model_name(self.default.name).provider == name.provider:
            return options
        return replace(options, base_url=None, key_variable=None, api_version=None)


class ConfiguredModels:
    """Models of one search, asked through the session's connections and paid from the search's ledger.

    Wrappers from the outside in: fill in options, record, cache, retry, pay, price, limit the rate, send.
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
        """Create models; `record` and `replay` are files of prompts and answers.

        `keep` receives the same lines, also for replayed answers. Costs are written to `receipts`, and answers already
        paid for are read from it. In the `background`, prompts give way to others.

        Raises:
            BadSetting: The file to replay is invalid.
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
        """Return the model with this name in the settings, or the one `provider:model` names; "" is the default.

        A missing key is reported when the model is first asked.

        Raises:
            BadSetting: There is no such model or provider; the message names the setting to give.
        """
        if name not in self._made:
            chosen = self._choice.choose(name)
            self._made[name] = DefaultedModel(self._built(chosen), chosen.options, background=self._background)
        return self._made[name]

    async def ready(self, names: Iterable[str]) -> None:
        """Find keys for the named models until one of them can be asked.

        A model with cached answers may never need its key, so it counts as one that can.

        Raises:
            BadSetting: None of them can be asked, or there is no such model; the message names the setting to give.
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
        """Return the innermost model: a script, the editor or a provider."""
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
        """Refuse a model of unknown price if dollars are limited, because the limit could not be kept.

        Raises:
            BadSetting: The price is unknown.
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
    """Return the price from the settings, or the listed one if the provider is asked at its own address."""
    if options.input_dollars is not None and options.output_dollars is not None:
        cached = options.input_dollars if options.cached_dollars is None else options.cached_dollars
        return Price(input=options.input_dollars, cached=cached, output=options.output_dollars)
    if name.provider == "scripted" or (name.provider == "ollama" and not name.model.endswith("cloud")):
        return FREE
    return None if options.base_url else listed_price(name.provider, name.model)
