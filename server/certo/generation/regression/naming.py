"""Names of tests, from what is special about the call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from certo.generation.regression.selection import TestMessage

MAX_WORDS = 60
"""Maximum length of the part of a name that describes the call."""


def names_of(messages: Sequence[TestMessage], function: str, parameters: Sequence[str], taken: set[str]) -> list[str]:
    """Return a name for the test of each call, all different and none of them `taken`."""
    function = function.strip("_") or "call"
    seen = set(taken)
    names = []
    for message in messages:
        said = [word for word in _descriptions(message, parameters) if word]
        choices = [f"test_{function}_{word}"[: MAX_WORDS + 20].rstrip("_") for word in said]
        name = next((choice for choice in choices if choice not in seen), "")
        number = 2
        base = choices[0] if choices else f"test_{function}"
        while not name:
            name = f"{base}_{number}" if f"{base}_{number}" not in seen else ""
            number += 1
        seen.add(name)
        names.append(name)
    return names


def _descriptions(message: TestMessage, parameters: Sequence[str]) -> Iterator[str]:
    """Yield descriptions of a call, the best first."""
    special = list(_specials(message, parameters))
    asserted = message.asserted
    if asserted.kind == "raises" and asserted.error is not None:
        raising = f"raises_{_snake(asserted.error.rpartition('.')[2])}"
        yield from (f"{raising}_for_{word}" for word in special)
        yield raising
        return
    if len(special) > 1:
        yield from (f"of_{one}" for one in special)
        yield f"of_{special[0]}_and_{special[1]}"
    yield from (f"of_{word}" for word in special)
    if asserted.changed and asserted.expected in (None, "None"):
        yield "changes_" + _changed(message, parameters)
    result = _result(asserted.expected)
    if result:
        yield result
    plain = _plain(message)
    if plain:
        yield f"of_{plain}"


def _changed(message: TestMessage, parameters: Sequence[str]) -> str:
    place = message.asserted.changed[0][0]
    if place == "":
        return "its_object"
    if isinstance(place, int):
        return parameters[place].strip("*") if place < len(parameters) else "its_argument"
    return place


def _specials(message: TestMessage, parameters: Sequence[str]) -> Iterator[str]:
    """Yield what is special about the arguments."""
    pairs: list[tuple[str, str]] = [
        (parameters[number] if number < len(parameters) else "", text)
        for number, text in enumerate(message.call.arguments)
    ]
    pairs += message.call.named.items()
    values = [(name, _literal(text)) for name, text in pairs]
    is_single = len(values) == 1
    for name, value in values:
        word = _special(value)
        if not word:
            continue
        if word in ("true", "false"):
            yield name if word == "true" else f"not_{name}"
        else:
            yield word if is_single or not name else f"{word}_{name}"


def _special(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return "zero" if value == 0 else "negative" if value < 0 else ""
    if isinstance(value, str):
        return "empty" if not value else "blank" if not value.strip() else "non_ascii" if not value.isascii() else ""
    if isinstance(value, list | tuple | set | frozenset | dict):
        return _special_collection(value)
    return ""


def _special_collection(
    value: list[object] | tuple[object, ...] | set[object] | frozenset[object] | dict[object, object],
) -> str:
    if not value:
        return "nothing" if isinstance(value, list | tuple) else "empty"
    if len(value) == 1:
        return "one"
    inside = list(value)
    texts = [repr(one) for one in inside]
    if len(set(texts)) < len(texts):
        return "duplicates"
    if any(one is None for one in inside):
        return "some_none"
    if all(isinstance(one, int | float) for one in inside) and any(one < 0 for one in inside):  # type: ignore[operator]
        return "negatives"
    return ""


def _result(expected: str | None) -> str:
    if expected is None:
        return ""
    value = _literal(expected)
    if value is None:
        return "gives_none"
    if isinstance(value, bool):
        return f"is_{str(value).lower()}"
    if isinstance(value, str | list | tuple | set | dict) and not value:
        return "gives_nothing"
    if isinstance(value, int | float):
        word = _snake(str(value).replace("-", "minus_").replace(".", "_"))
        return f"gives_{word}" if len(word) < 12 else ""
    if isinstance(value, str) and re.fullmatch(r"\w{1,16}", value) and value.isascii():
        return f"gives_{_snake(value)}"
    return ""


def _plain(message: TestMessage) -> str:
    words = [re.sub(r"\W+", "_", text).strip("_").lower() for text in message.call.arguments]
    joined = "_and_".join(word for word in words if word and word.isascii())
    return joined if joined and len(joined) <= MAX_WORDS else ""


def _literal(text: str) -> object:
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
    return value


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
