"""The inputs of differential testing: the tests' calls, calls near them, and calls that the annotations allow.

In differential testing two programs that should do the same are each other's oracle (McKeeman, "Differential testing
for software", 1998).

Property tests run under a fixed seed, so the calls that they draw are among the known ones. Hypothesis itself draws
none here: importing it takes longer than all calls do, and annotations and nearby values give what it would draw.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from certo.behaviour.annotated_values import values_for
from certo.behaviour.call import MAX_CHARACTERS, Callee, RecordedCall
from certo.behaviour.nearby_values import literal, near, simpler, strange
from certo.edits.definitions import Definition

MAX_ITEMS = 320
"""Maximum number of calls tried at first."""

_FEW = 24
"""Number of calls varied in one round."""

ROUNDS = 3
"""Number of rounds in which calls are varied."""

_MAX_SIZE = 10_000
"""The largest number in the code that counts as a boundary."""


def boundaries(definitions: Iterable[Definition]) -> tuple[int, ...]:
    """Return the integers that code compares with or counts to, and their neighbours."""
    found = {
        value
        for definition in definitions
        for node in ast.walk(definition.node)
        if isinstance(node, ast.Constant) and type(value := literal(node)) is int and abs(value) <= _MAX_SIZE
    }
    return tuple(sorted({near for value in found for near in (value - 1, value, value + 1)}))[:24]


def pool(
    callee: Callee,
    known: Sequence[RecordedCall],
    definition: Definition,
    numbers: tuple[int, ...],
    seed: int,
    most: int = MAX_ITEMS,
) -> tuple[RecordedCall, ...]:
    """Return at most `most` distinct calls: the known ones, then others in a random order given by `seed`."""
    dice = random.Random(seed)
    known = sorted(known, key=lambda call: call.weight)
    allowed = list(itertools.islice(_allowed(callee, definition, known, numbers, dice), most // 2))
    chosen: dict[str, RecordedCall] = {}
    _add(chosen, [*known, *allowed, *itertools.islice(_crossed(known, dice), most // 4)], most)
    frontier = [*known[:_FEW], *allowed[:_FEW]]
    for _ in range(ROUNDS):
        others = _shuffled(_near(frontier, numbers), dice)
        _add(chosen, others, most)
        frontier = others[:_FEW]
    return tuple(chosen.values())


def _add(chosen: dict[str, RecordedCall], calls: Iterable[RecordedCall], most: int) -> None:
    """Add new calls while there is room."""
    for call in calls:
        if len(chosen) < most and len(call.text) <= MAX_CHARACTERS:
            chosen.setdefault(call.text, call)


def plainer(call: RecordedCall, required: int) -> Iterator[RecordedCall]:
    """Yield simpler calls: with simpler values, or without the last argument if it is optional."""
    if len(call.arguments) > required:
        yield replace(call, arguments=call.arguments[:-1])
    for name in call.named:
        yield replace(call, named={key: text for key, text in call.named.items() if key != name})
    for place, text in call.values():
        for changed in simpler(text):
            yield _with(call, place, changed)


def _near(calls: Iterable[RecordedCall], numbers: tuple[int, ...]) -> Iterator[RecordedCall]:
    """Yield the call with one value replaced by one near it, or by None, which counts as strange if it is new."""
    for call in calls:
        for place, text in call.values():
            for changed in near(text, numbers):
                yield _with(call, place, changed)
            for changed in strange(text) if place != "" else ():
                yield replace(_with(call, place, changed), strange=call.strange + (text != "None"))


def _crossed(known: Sequence[RecordedCall], dice: random.Random) -> Iterator[RecordedCall]:
    """Yield combinations of values from different known calls."""
    if len(known) < 2:
        return
    for _ in range(MAX_ITEMS):
        one, other = dice.sample(known, 2)
        theirs = dict(other.values())
        for place, _ in list(one.values()):
            if place in theirs and dice.random() < 0.5:
                one = _with(one, place, theirs[place])
        yield one


def _allowed(
    callee: Callee, definition: Definition, known: Sequence[RecordedCall], numbers: tuple[int, ...], dice: random.Random
) -> Iterator[RecordedCall]:
    """Yield calls by annotations and defaults, and by known values of parameters that have neither."""
    receivers = list(dict.fromkeys(call.receiver for call in known)) if callee.receiver is None else [callee.receiver]
    if callee.has_receiver and not receivers:
        return
    parameters = parameters_of(callee, definition)
    columns: list[list[str]] = []
    for place, (argument, default) in enumerate(parameters):
        seen = [call.arguments[place] for call in known if place < len(call.arguments)]
        values = [*values_for(argument, default, numbers), *seen]
        if not values and default is None:
            return
        columns.append(list(dict.fromkeys(values)))
    named, needed = _named(definition, known, numbers)
    if not all(named[name] for name in needed):
        return
    # First with the fewest arguments, all at their simplest and then one after the other; then at random.
    required = sum(default is None for _, default in parameters)
    for length in range(required, len(columns) + 1):
        for place in range(max(map(len, columns[:length]), default=1)):
            row = tuple(column[place % len(column)] for column in columns[:length])
            receiver = receivers[place % len(receivers)] if receivers else None
            by_name = {name: named[name][place % len(named[name])] for name in needed}
            yield RecordedCall(callee=callee, receiver=receiver, arguments=row, named=by_name)
    for _ in range(MAX_ITEMS):
        row = tuple(dice.choice(column) for column in columns)
        receiver = dice.choice(receivers) if receivers else None
        by_name = {name: dice.choice(named[name]) for name in named if name in needed or dice.random() < 0.5}
        yield RecordedCall(callee=callee, receiver=receiver, arguments=row, named=by_name)


def _named(
    definition: Definition, known: Sequence[RecordedCall], numbers: tuple[int, ...]
) -> tuple[dict[str, list[str]], list[str]]:
    """Return values of the keyword-only parameters, as far as there are any, and the required ones among them."""
    given = definition.node.args
    pairs = list(zip(given.kwonlyargs, given.kw_defaults, strict=True))
    found = {
        argument.arg: list(
            dict.fromkeys(
                (
                    *values_for(argument, default, numbers),
                    *(call.named[argument.arg] for call in known if argument.arg in call.named),
                )
            )
        )
        for argument, default in pairs
    }
    needed = [argument.arg for argument, default in pairs if default is None]
    return {name: values for name, values in found.items() if values or name in needed}, needed


def parameters_of(callee: Callee, definition: Definition) -> list[tuple[ast.arg, ast.expr | None]]:
    """Return the positional parameters without the receiver, with their defaults."""
    given = definition.node.args
    every = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(every) - len(given.defaults)), *given.defaults]
    pairs = list(zip(every, defaults, strict=True))
    has_own = (callee.has_receiver and callee.receiver is None) or definition.node.name == "__init__"
    return pairs[1:] if has_own else pairs


def unfilled(callee: Callee, definition: Definition) -> list[str]:
    """Return the names of the parameters for which there are no values."""
    return [
        argument.arg
        for argument, default in parameters_of(callee, definition)
        if default is None and not values_for(argument, default)
    ]


def _with(call: RecordedCall, place: str | int, text: str) -> RecordedCall:
    """Return the call with another value in one place."""
    if place == "":
        return replace(call, receiver=text)
    if isinstance(place, int):
        return replace(call, arguments=(*call.arguments[:place], text, *call.arguments[place + 1 :]))
    return replace(call, named={**call.named, place: text})


def _shuffled(calls: Iterable[RecordedCall], dice: random.Random) -> list[RecordedCall]:
    shuffled = list(calls)
    dice.shuffle(shuffled)
    return shuffled
