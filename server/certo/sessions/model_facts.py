"""Facts about a project: the subject of each, its state of health, and its remedy; and those about language models."""

from __future__ import annotations

from enum import Enum

from certo.llm.connections import Connections, key_wanted
from certo.llm.models import DEFAULT_GROUP, NAMED_GROUP, Chosen, ModelChoice
from certo.llm.providers import PROVIDERS
from certo.llm.wrappers.prices import listed_on
from certo.presentation.phrases import money
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass


class Health(Enum):
    """The state of one thing: as it should be, usable but less than it could be, or in the way of any search."""

    GOOD = "good"
    LACKING = "lacking"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that was found: what it is about, how it stands, and what there is to say.

    `details` are further sentences that give the reasons. `remedy` is a command to run, or a sentence on what to do,
    when something is missing; empty when nothing is.
    """

    subject: str
    health: Health
    says: str
    details: tuple[str, ...] = ()
    remedy: str = ""


_NONE = "none set up; certo's own generator needs none"
_EXAMPLE = "name one in model.name, as in openai:gpt-5-mini or ollama:qwen3"


async def about_models(choice: ModelChoice, connections: Connections, *, needed: bool) -> tuple[Fact, ...]:
    """Return a fact for each model that the settings name; no search can do without the default one if it is `needed`.

    Keys are looked for and never shown. Nobody is asked over the network.
    """
    names = [*([""] if choice.default.name or needed else []), *choice.named]
    if not names:
        return (Fact(subject=DEFAULT_GROUP, health=Health.GOOD, says=_NONE, details=(_EXAMPLE,)),)
    facts = [await _about(choice, name, connections, needed=needed and not name) for name in names]
    return tuple(facts)


async def _about(choice: ModelChoice, name: str, connections: Connections, *, needed: bool) -> Fact:
    subject = f"{NAMED_GROUP}.{name}" if name else DEFAULT_GROUP
    lacking = Health.BROKEN if needed else Health.LACKING
    try:
        chosen = choice.choose(name)
    except BadSetting as error:
        return Fact(subject=subject, health=lacking, says=str(error))
    wanted = key_wanted(chosen.name, chosen.options)
    key = await connections.keys.find(chosen.name.provider, wanted) if wanted else None
    details = (_address(chosen), _key(key.source if key else ""), _price(chosen))
    if wanted and key is None:
        return Fact(
            subject=subject,
            health=lacking,
            says=f"{chosen.shown}: its key is nowhere to be found",
            details=(details[0], details[2]),
            remedy=f"put the key in {connections.keys.places(wanted)}",
        )
    return Fact(subject=subject, health=Health.GOOD, says=chosen.shown, details=tuple(filter(None, details)))


def _address(chosen: Chosen) -> str:
    if chosen.name.provider == "editor":
        return "asked through the editor, where it has one to lend; there is none in a terminal"
    provider = PROVIDERS.get(chosen.name.provider)
    address = chosen.options.base_url or (provider.base_url if provider is not None else "")
    return f"at {address}" if address else ""


def _key(source: str) -> str:
    """Return a clause on the source of a model's key."""
    return f"its key is {source}" if source else "it is sent no key"


def _price(chosen: Chosen) -> str:
    price = chosen.price
    if price is None:
        return (
            f"its price is not known; set {chosen.group}.input_dollars and {chosen.group}.output_dollars "
            "to have its cost counted and limited"
        )
    if price.input == price.output == 0:
        return "it costs nothing"
    source = "the settings say" if chosen.options.input_dollars is not None else f"the list of {listed_on()} says"
    return f"{source} {money(price.input)} for a million tokens read and {money(price.output)} written"
