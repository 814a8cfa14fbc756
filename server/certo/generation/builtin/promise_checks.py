"""Promises of a docstring, checked on the calls by which candidates are compared.

A candidate that passes the tests and breaks a promise on another call is less likely right. It is no proof: words have
several senses, so a promise changes an order and the evidence that is wanted, never a verdict. One that the candidates
break on a call of the tests, whose result is known, is none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from certo.behaviour.call import RecordedCall
from certo.behaviour.execution import Outcomes
from certo.behaviour.outcome import CallOutcome
from certo.generation.builtin.promises import Promise, Relation, promises_in, relations_in
from certo.vocabulary.records import dataclass

BROKEN_FACTOR = 0.25
"""Factor on the likelihood of a candidate for each promise that it breaks."""

MAX_PARTNERS = 24
"""Maximum number of calls made for promises about two of them."""

_MAX_TEXTS = 8192
"""Number of texts whose values are kept."""

_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Breach:
    """A promise that a candidate breaks, and the number of a call on which it does."""

    name: str
    call: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """The promises of one docstring."""

    of_results: tuple[Promise, ...] = ()
    of_pairs: tuple[Relation, ...] = ()

    @classmethod
    def of(cls, docstring: str) -> Promises:
        """Return the promises in a docstring."""
        return cls(of_results=promises_in(docstring), of_pairs=relations_in(docstring))

    def __bool__(self) -> bool:
        """True if there are any."""
        return bool(self.of_results or self.of_pairs)

    def partners(self, calls: Sequence[RecordedCall]) -> tuple[RecordedCall, ...]:
        """Return calls that must have the same results as some of these."""
        made = (other for relation in self.of_pairs for call in calls for other in _changed(call, relation))
        return tuple({call.text: call for call in made}.values())[:MAX_PARTNERS]

    def broken(
        self, calls: Sequence[RecordedCall], versions: Sequence[Outcomes], known: frozenset[str]
    ) -> list[tuple[Breach, ...]]:
        """Return the promises that each candidate breaks; the results of `known` calls contradict a promise."""
        found = [dict(_breaches(self, calls, outcomes)) for outcomes in versions]
        sure = {number for number, call in enumerate(calls) if call.text in known}
        void = {name for each in found for name, places in each.items() if any(map(sure.issuperset, places))}
        return [
            tuple(Breach(name, min(places[0] - sure)) for name, places in each.items() if name not in void)
            for each in found
        ]


def _breaches(
    promises: Promises, calls: Sequence[RecordedCall], outcomes: Outcomes
) -> Iterator[tuple[str, list[frozenset[int]]]]:
    """Yield each broken promise with the numbers of the calls, one or two, whose results break it."""
    given = [_arguments(call) for call in calls]
    results = [_result(outcome) for outcome in outcomes]
    places = {call.text: number for number, call in enumerate(calls)}
    for each in promises.of_results:
        alone = [
            frozenset([number])
            for number, (values, result) in enumerate(zip(given, results, strict=True))
            if values is not None and result is not _NOTHING and keeps(each, values, result) is False
        ]
        if alone:
            yield each.name, alone
    for relation in promises.of_pairs:
        pairs = (
            (number, places.get(other.text)) for number, call in enumerate(calls) for other in _changed(call, relation)
        )
        both = [
            frozenset([number, other])
            for number, other in pairs
            if other is not None and _differ(results[number], results[other], relation)
        ]
        if both:
            yield relation.name, both


def keeps(promise: Promise, values: Sequence[Any], result: Any) -> bool | None:
    """Return whether a result keeps a promise; None if that says nothing of it."""
    try:
        return promise.holds(values, result)
    except (TypeError, ValueError, IndexError, OverflowError, RecursionError):
        # The values are of other types than the words are about.
        return None


def _arguments(call: RecordedCall) -> tuple[Any, ...] | None:
    """Return the arguments of a call; None if they are no literals."""
    values = tuple(_literal(text) for text in (*call.arguments, *call.named.values()))
    return None if any(value is _NOTHING for value in values) else values


def _result(outcome: CallOutcome | None) -> Any:
    if outcome is None or outcome.kind != "returns" or outcome.is_opaque:
        return _NOTHING
    return _literal(outcome.value)


@lru_cache(maxsize=_MAX_TEXTS)
def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NOTHING


def _differ(one: Any, other: Any, relation: Relation) -> bool:
    return one is not _NOTHING and other is not _NOTHING and not relation.same(one, other)


def _changed(call: RecordedCall, relation: Relation) -> Iterator[RecordedCall]:
    """Yield a call with one of its arguments changed by a relation."""
    values = _arguments(call) or ()
    texts = [repr(value) for value in values]
    count = len(call.arguments)
    for place, value in enumerate(values):
        for change in relation.changes:
            if (text := repr(change(value))) != texts[place]:
                changed = [*texts[:place], text, *texts[place + 1 :]]
                named = dict(zip(call.named, changed[count:], strict=True))
                yield replace(call, arguments=tuple(changed[:count]), named=named)
