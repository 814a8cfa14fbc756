"""Types of the parts by which a Strategy writes, judges and prices code; parts that cannot be called so are refused."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Protocol, TypeAlias

from certo.costs.model import CostModel
from certo.criteria.criterion import Gate, Gauge
from certo.generation.generator import Declined, Generator
from certo.verification.verifier import Verifier
from certo.vocabulary.cost import Cost
from certo.vocabulary.errors import BadSetting


class CodeWriter(Protocol):
    """Writes a function: it takes what is wanted and the failed attempts, and returns code, or why there is none.

    It may take a third parameter called `context`: the line so far as a conversation.
    """

    def __call__(self, wanted: Any, past: tuple[Any, ...], /) -> str | Declined | Awaitable[str | Declined]:
        """Return code, or the reason why there is none."""
        ...


class CodeJudge(Protocol):
    """Judges code: it returns True if the code passes, or that and a reason.

    It may take a second parameter, called `agent` or `context`: the Runtime that searches, None for a Project.
    """

    def __call__(self, code: str, /) -> bool | tuple[bool, str | None] | Awaitable[Any]:
        """Return whether the code passes."""
        ...


class CodePrice(Protocol):
    """Prices code: it returns a number, lower is better."""

    def __call__(self, code: str, /) -> float | Cost | Awaitable[Any]:
        """Return the cost."""
        ...


class HasVerify(Protocol):
    """Judges code by its `verify`, as A1's verifiers do."""

    @property
    def verify(self) -> Callable[..., Any]:
        """Judge code."""
        ...


class HasCompute(Protocol):
    """Prices code by its `compute`, as A1's costs do."""

    @property
    def compute(self) -> Callable[..., Any]:
        """Price code."""
        ...


class HasGenerate(Protocol):
    """Writes code by its `generate`, as A1's generators do."""

    @property
    def generate(self) -> Callable[..., Any]:
        """Write code."""
        ...


Writes: TypeAlias = CodeWriter | Generator | HasGenerate
Judges: TypeAlias = CodeJudge | Verifier | Gate | HasVerify | type
Prices: TypeAlias = CodePrice | CostModel | Gauge | HasCompute | type

RUNTIME = ("agent", "context")
"""Names of the parameter that gets the runtime of a search."""

_METHODS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "generate": {"open": ("problem", "say"), "generate": ("wanted", "past")},
    "verify": {"judge": ("candidate", "problem"), "verify": ("code",)},
    "cost": {"price": ("candidate", "report", "problem"), "compute": ("code",)},
    "evaluate": {"evaluate": ("candidate", "problem")},
    "compact": {"compact": ("messages",)},
    "executor": {"execute": ("code", "inputs")},
    "llm": {"answer": ("prompt",)},
}
"""By field of a Strategy or Runtime: the methods, of which the first that is there counts, with what they are given."""

_FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "generate": ("wanted", "past"),
    "verify": ("code",),
    "cost": ("code",),
    "evaluate": ("text",),
    "listener": ("live", "event"),
}
"""By field: what a function in it is given. A field that is not here takes no function."""


_NAMED: Mapping[str, str] = {"llm": "heard", "executor": "outside"}
"""By field of a Runtime, which takes objects and no classes: what its method is given by name, always."""


def misfits(field: str, given: object) -> Iterator[str]:
    """Yield the reasons why what was given for a field of a Strategy or Runtime could not be called as it will be."""
    if given is None:
        return
    if isinstance(given, list | tuple):
        if field != "verify":
            yield f"a {type(given).__name__}, where one is wanted"
        for each in given:
            yield from misfits(field, each)
        return
    methods = _METHODS.get(field, {})
    for method, words in methods.items():
        if callable(function := getattr(given, method, None)):
            called = f"{_name(given)}.{method}"
            yield from _misfit(called, function, words, is_class=inspect.isclass(given), named=_NAMED.get(field, ""))
            return
    if field not in _FUNCTIONS or not callable(given):
        wanted = ["a function"] if field in _FUNCTIONS else []
        wanted += ["something with " + " or ".join(f"{name}()" for name in methods)] if methods else []
        yield f"{given!r} cannot be called; give {', or '.join(wanted)}"
    elif not inspect.isclass(given):
        yield from _misfit(_name(given), given, _FUNCTIONS[field], is_class=False)


def _unready(field: str, given: object) -> Iterator[str]:
    """Yield the reason why what could be called for a field would be of no use there."""
    if field in _NAMED and inspect.isclass(given):
        yield f"{given!r} is a class; give one of its objects"
    elif field == "llm" and hasattr(given, "answer") and not hasattr(given, "name"):
        yield f"{given!r} has no name; give it one, by which its answers are shown and kept"


def _misfit(
    name: str, function: Callable[..., Any], words: Sequence[str], *, is_class: bool, named: str = ""
) -> Iterator[str]:
    """Yield the reason why a function cannot be called with these positional arguments, and the one named.

    Without one that is named, it is given the runtime if it takes that.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # It does not say what it takes.
        return
    arguments: list[str] = ["self", *words] if is_class else list(words)
    runtime = [each for each in RUNTIME if each in signature.parameters and each not in arguments]
    taken = {each: each for each in ([named] if named else runtime)}
    try:
        signature.bind(*arguments, **taken)
    except TypeError as error:
        given = ", ".join([*words, *([f"{named}=…"] if named else [])])
        yield f"{name}{signature} is called with {given}: {error}"


def require_callable(owner: str, **given: object) -> None:
    """Refuse what cannot be called as the field of its name will be.

    Raises:
        BadSetting: something cannot.
    """
    for field, each in given.items():
        # A model may be given by its name.
        if not (field == "llm" and isinstance(each, str)):
            for reason in (*_unready(field, each), *misfits(field, each)):
                raise BadSetting(f"{owner}.{field}: {reason}")


def require_kind(name: str, given: object, kind: type | UnionType, advice: str) -> None:
    """Refuse what is of another kind than wanted.

    Raises:
        BadSetting: it is.
    """
    if not isinstance(given, kind):
        raise BadSetting(f"{name} = {given!r:.200}: {advice}")


def takes_runtime(function: Callable[..., Any]) -> str:
    """Return the name of the parameter in which a function takes the runtime; "" if it has none."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ""
    return next((name for name in RUNTIME if name in parameters), "")


def _name(given: object) -> str:
    return str(getattr(given, "__qualname__", "") or getattr(given, "__name__", "") or type(given).__name__)
