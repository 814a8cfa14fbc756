"""Comparing two JSON schemas: can each value that one allows be used where the other is expected?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

_LEAST, _MOST = ("minimum", "exclusiveMinimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")
_BOUNDS = dict.fromkeys(_LEAST, 1) | dict.fromkeys(_MOST, -1)
"""Limits, and in which direction each is stricter."""


class Fitting:
    """Compares what is `sent` by one side with what the other side is `ready` for, both as whole documents.

    Alternatives that are only sent are passed over where `growing` names the definition that lists them.
    """

    def __init__(self, sent: Schema, ready: Schema, *, growing: Collection[str] = ()) -> None:
        self._sent = sent["$defs"]
        self._ready = ready["$defs"]
        self._growing = growing
        self._compared: set[tuple[str, str]] = set()

    def misfits(self, sent: Schema | None, ready: Schema | None, where: str = "") -> Iterator[str]:
        """Yield what may be sent and is not expected, each with its place."""
        if sent is None or ready is None:
            if sent != ready:
                yield f"{where}: one side has nothing here"
            return
        names = (_name(sent), _name(ready))
        if not all(names):
            yield from self._misfits(sent, ready, where)
        elif names not in self._compared:
            # While it is compared a pair counts as fitting, for it may hold itself. If it does not fit, what was found
            # to fit meanwhile may have relied on it.
            before = set(self._compared)
            self._compared.add(names)
            found = tuple(self._misfits(sent, ready, where))
            if found:
                self._compared = before
            yield from found

    def _misfits(self, sent: Schema, ready: Schema, where: str) -> Iterator[str]:
        """Yield the misfits of two schemas that were not compared before."""
        grows = self._grows(sent)
        sent, ready = _resolved(sent, self._sent), _resolved(ready, self._ready)
        choices = _alternatives(sent)
        if choices == [sent] and _alternatives(ready) == [ready]:
            yield from self._of_one(sent, ready, where)
            return
        known = {_name(other) for other in _alternatives(ready)}
        for choice in choices:
            tries = [list(self.misfits(choice, other, where)) for other in _alternatives(ready)]
            if all(tries) and (not grows or _name(choice) in known):
                yield min(tries, key=len)[0]

    def _grows(self, sent: Schema) -> bool:
        """True if more alternatives may be sent; the schema may list those of a definition instead of naming it."""
        listed = sent.get("oneOf")
        named = (_resolved({"$ref": each}, self._sent) for each in self._growing)
        return _name(sent) in self._growing or (listed is not None and any(listed == each["oneOf"] for each in named))

    def _of_one(self, sent: Schema, ready: Schema, where: str) -> Iterator[str]:
        """Yield the misfits of two schemas without alternatives."""
        allowed, possible = _values(ready), _values(sent)
        if allowed is not None:
            if possible is None or not possible <= allowed:
                yield f"{where}: {sorted((possible or set()) - allowed) or 'any value'} is not among the known values"
            return
        if not _types(sent) <= _types(ready):
            yield f"{where}: {sorted(_types(sent))} where {sorted(_types(ready))} is expected"
            return
        for bound, direction in _BOUNDS.items():
            if bound in ready and (bound not in sent or direction * (ready[bound] - sent[bound]) > 0):
                yield f"{where}: {bound} {ready[bound]} is stricter"
        yield from self._of_objects(sent, ready, where)
        if isinstance(ready.get("items"), Mapping):
            yield from self.misfits(sent.get("items", {}), ready["items"], f"{where}[]")

    def _of_objects(self, sent: Schema, ready: Schema, where: str) -> Iterator[str]:
        missing = set(ready.get("required", ())) - set(sent.get("required", ()))
        yield from (f"{where}.{name}: it may be missing" for name in sorted(missing))
        expected, rest = ready.get("properties", {}), ready.get("additionalProperties", True)
        for name, value in sent.get("properties", {}).items():
            if name in expected:
                yield from self.misfits(value, expected[name], f"{where}.{name}")
            elif rest is False:
                yield f"{where}.{name}: it is not known"
        if isinstance(rest, Mapping) and isinstance(sent.get("additionalProperties"), Mapping):
            yield from self.misfits(sent["additionalProperties"], rest, f"{where}.*")


def _name(schema: Schema) -> str:
    return str(schema.get("$ref", ""))


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    while "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    return schema


def _alternatives(schema: Schema) -> list[Schema]:
    return list(schema.get("anyOf") or schema.get("oneOf") or [schema])


def _values(schema: Schema) -> set[Any] | None:
    if "const" in schema:
        return {schema["const"]}
    return set(schema["enum"]) if "enum" in schema else None


def _types(schema: Schema) -> set[str]:
    """Return the types of a schema; without any it takes every value."""
    types = schema.get("type", ["array", "boolean", "integer", "null", "number", "object", "string"])
    every = {types} if isinstance(types, str) else set(types)
    return every | {"integer"} if "number" in every else every
