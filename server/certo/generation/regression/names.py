"""Names of tests, from what is special about the call."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence

from certo.generation.regression.selection import TestMessage

MAX_WORDS = 60
"""Maximum length of the part of a name that describes the call."""

MAX_PLAIN = 24
"""Maximum length of a value that stands in a name."""


def names_of(messages: Sequence[TestMessage], function: str, parameters: Sequence[str], taken: set[str]) -> list[str]:
    """Return a name for the test of each call, all different and none of them `taken`."""
    function = function.strip("_") or "call"
    returning = [message for message in messages if message.asserted.kind != "raises"]
    usual = {pair for message in returning for pair in _arguments(message, parameters)}
    seen = set(taken)
    names = []
    for message in messages:
        choices = [f"test_{function}_{word}" for word in _descriptions(message, parameters, usual) if word]
        choices.append(f"test_{function}")
        numbered = (f"{choices[0]}_{number}" for number in itertools.count(2))
        name = next(choice for choice in itertools.chain(choices, numbered) if choice not in seen)
        seen.add(name)
        names.append(name)
    return names


def _descriptions(message: TestMessage, parameters: Sequence[str], usual: set[tuple[str, str]]) -> Iterator[str]:
    """Yield descriptions of a call, the best first; `usual` are arguments of calls that return."""
    asserted = message.asserted
    arguments = _arguments(message, parameters)
    if asserted.kind == "raises" and asserted.error is not None:
        raising = f"raises_{_snake(asserted.error.rpartition('.')[2])}"
        # What a call that returns has as well is no reason for an exception.
        telling = [pair for pair in arguments if pair not in usual] or arguments
        yield from (f"{raising}_for_{word}" for word in _specials(telling, len(arguments)))
        yield from (f"{raising}_for_{word}" for word in _plain(telling))
        yield raising
        return
    special = list(_specials(arguments, len(arguments)))
    yield from (f"of_{word}" for word in special)
    if len(special) > 1:
        yield f"of_{special[0]}_and_{special[1]}"
    if asserted.changed and asserted.expected in (None, "None"):
        yield "changes_" + _changed(message, parameters)
    yield _result(asserted.expected)
    plain = "_and_".join(_plain(arguments))
    if len(plain) <= MAX_WORDS:
        yield f"of_{plain}" if plain else ""


def _arguments(message: TestMessage, parameters: Sequence[str]) -> list[tuple[str, str]]:
    """Return the arguments of a call by the names of the parameters."""
    call = message.call
    names = [parameters[place] if place < len(parameters) else "" for place in range(len(call.arguments))]
    return [*zip(names, call.arguments, strict=True), *call.named.items()]


def _changed(message: TestMessage, parameters: Sequence[str]) -> str:
    place = message.asserted.changed[0][0]
    if place == "":
        return "its_object"
    if isinstance(place, int):
        return parameters[place].strip("*") if place < len(parameters) else "its_argument"
    return place


def _specials(arguments: Sequence[tuple[str, str]], number: int) -> Iterator[str]:
    """Yield what is special about some of a call's arguments."""
    for name, text in arguments:
        value = _literal(text)
        if isinstance(value, bool):
            yield name if value else f"no_{name}"
        elif word := _special(value):
            yield {"no": "nothing"}.get(word, word) if number == 1 or not name else f"{word}_{_counted(word, name)}"


def _counted(word: str, name: str) -> str:
    return name[:-1] if word == "one" and name.endswith("s") and not name.endswith("ss") else name


def _special(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, int | float):
        return "zero" if value == 0 else "negative" if value < 0 else ""
    if isinstance(value, str):
        return "empty" if not value else "blank" if not value.strip() else "" if value.isascii() else "non_ascii"
    if isinstance(value, list | tuple | set | frozenset | dict):
        return _special_collection([repr(one) for one in value])
    return ""


def _special_collection(texts: Sequence[str]) -> str:
    if not texts:
        return "no"
    if len(texts) == 1:
        return "one"
    return "duplicate" if len(set(texts)) < len(texts) else "some_none" if "None" in texts else ""


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


def _plain(arguments: Sequence[tuple[str, str]]) -> list[str]:
    """Return short arguments as words, with the names of those that say little by themselves."""
    words = []
    for name, text in arguments:
        word = re.sub(r"\W+", "_", text.replace("-", "minus ")).strip("_").lower()
        if word and word.isascii() and len(word) <= MAX_PLAIN:
            words.append(f"{name}_{word}" if len(arguments) == 1 and name and word.isdigit() else word)
    return words


def _literal(text: str) -> object:
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
    return value


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
