"""Questions on the wire that start no search: what is proved, what a search would take, what is here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, AliasPath, BeforeValidator, Field
from pydantic.alias_generators import to_camel

from certo.protocol.commands import TargetArguments, Wish
from certo.protocol.strength import TestStrength
from certo.protocol.wire import Wire

VERIFY = "certo/verify"
TESTS = "certo/tests"
STRENGTH = "certo/strength"
DIFF = "certo/diff"
ESTIMATE = "certo/estimate"
ENVIRONMENT = "certo/environment"
STATUS = "certo/status"


class VerifyParams(TargetArguments):
    """The function to judge as it stands."""


class TestsParams(TargetArguments):
    """The function that tests are written for; they are held against the revision `against`, if one is named.

    With `model`, the default language model proposes further tests.
    """

    __test__ = False

    against: str = ""
    model: bool = False


class StrengthParams(TargetArguments):
    """The function whose tests are measured."""


class StrengthResult(Wire):
    """The strength of the tests of a function in its current text; `seconds` is the wall time it took."""

    root: Annotated[str, BeforeValidator(str)] = Field(
        validation_alias=AliasChoices("root", AliasPath("resolved", "root"))
    )
    path: str = Field(validation_alias=AliasChoices("path", AliasPath("resolved", "path")))
    qualname: str = Field(validation_alias=AliasChoices("qualname", AliasPath("resolved", "target", "qualname")))
    line: int = Field(validation_alias=AliasChoices("line", AliasPath("resolved", "target", "line")))
    strength: TestStrength
    seconds: float


class DiffParams(TargetArguments):
    """The function to compare with what it was in the revision `against`."""

    against: str = "HEAD"


class EstimateParams(Wish):
    """The search that is not started."""


class Expense(Wire):
    """The cost of calls of language models; `dollars` is null if the price of one is unknown."""

    calls: int
    tokens: int
    dollars: float | None


class EstimateResult(Wire):
    """An estimate of a search: `likely` if the first answer passes, and at `most`, with the number of `tries`.

    `cap` names the parts of the budget that would end it earlier, with their values; empty if none would.
    """

    models: tuple[str, ...]
    tries: int
    likely: Expense
    most: Expense
    cap: str


class EnvironmentParams(Wire):
    """The document, or the folder, whose surroundings are asked for."""

    uri: str


def _value(word: object) -> object:
    return word.value if isinstance(word, Enum) else word


def _text(value: object) -> object:
    """A path, or a version in numbers, as a text."""
    return ".".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _camel(values: object) -> object:
    """Settings with camelCase keys at every depth."""
    plain = asdict(values) if is_dataclass(values) and not isinstance(values, type) else values
    if isinstance(plain, Mapping):
        return {to_camel(name): _camel(value) for name, value in plain.items()}
    return plain


def _camel_path(origins: object) -> object:
    """Dotted names of settings in camelCase, each with its origin."""
    if not isinstance(origins, Mapping):
        return origins
    return {".".join(map(to_camel, name.split("."))): origin for name, origin in origins.items()}


Text = Annotated[str, BeforeValidator(_text)]


class Fact(Wire):
    """One thing that was found; `remedy` is a command to run, or what to do, when something is missing."""

    subject: str
    health: Annotated[Literal["good", "lacking", "broken"], BeforeValidator(_value)]
    says: str
    details: tuple[str, ...]
    remedy: str


class FoundRoot(Wire):
    """The root of a project, and why it is that."""

    path: Text
    why: str


class FoundInterpreter(Wire):
    """The Python that runs the tests, why it is that, and which others were not taken; `pytest` is its version."""

    executable: Text
    version: Text
    pytest: str | None
    why: str
    tried: tuple[str, ...]


class EnvironmentResult(Wire):
    """The environment that certo finds for a document; `facts` are sentences about all of it, in reading order.

    `isolation` says how code would be confined. A part that does not exist is null. `setting_origins` names the source
    of each setting that differs from its default.
    """

    version: str
    usable: bool
    root: FoundRoot
    interpreter: FoundInterpreter | None
    test_files: int
    isolation: str | None
    settings: Annotated[dict[str, Any], BeforeValidator(_camel)] = Field(
        validation_alias=AliasChoices("settings", AliasPath("loaded", "settings"))
    )
    setting_origins: Annotated[dict[str, str], BeforeValidator(_camel_path)] = Field(
        validation_alias=AliasChoices("settingOrigins", AliasPath("loaded", "origins"))
    )
    facts: tuple[Fact, ...]


class StatusParams(Wire):
    """Nothing: how the daemon stands."""


class StatusResult(Wire):
    """The state of the daemon: its version, `instance` and age in seconds, its searches, and the configured models.

    `version` is that of certo, `protocol` the one agreed upon, `python` that of the daemon.
    """

    version: str
    protocol: int
    python: str
    instance: str
    seconds: float
    searches: int
    running: int
    models: tuple[Fact, ...]
