"""Types from JSON schemas, so that an answer is checked against either in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, create_model

from certo.vocabulary.errors import BadSetting

_PLAIN: Mapping[str, Any] = {"integer": int, "number": float, "boolean": bool, "null": None}

_BOUNDS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minItems": "min_length",
    "maxItems": "max_length",
}

_TEXT = {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"}

_SAYING_NOTHING = {"title", "description", "default", "examples", "$defs", "$schema", "$id", "format", "deprecated"}

_STRUCTURE = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "oneOf", "$ref",
}  # fmt: skip

_KNOWN = _SAYING_NOTHING | _STRUCTURE | set(_BOUNDS) | set(_TEXT)


class _Strict(BaseModel):
    """Base of the models built from object schemas: no coercion, and no shadowing by reserved names."""

    model_config = ConfigDict(strict=True, protected_namespaces=(), defer_build=True)


def type_of(schema: Mapping[str, Any]) -> Any:
    """Return the Python type whose values match a JSON schema.

    Supported are the keywords commonly used with models: types, properties, items, enum, const, anyOf, oneOf, local
    references, bounds, lengths and patterns.

    Raises:
        BadSetting: The schema uses another keyword, or an undefined reference.
    """
    return _SchemaReader(schema).type_of(schema, "Answer")


class _SchemaReader:
    """Reader of one schema; each of `$defs` is read once, which also makes recursion possible."""

    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._definitions = whole.get("$defs", {})
        self._open: list[str] = []

    def type_of(self, schema: Any, name: str) -> Any:
        if schema is True or schema == {}:
            return JsonValue
        if not isinstance(schema, Mapping):
            raise BadSetting(f"{schema!r} is no JSON schema; give an object such as {{'type': 'string'}}")
        if unknown := sorted(set(schema) - _KNOWN):
            raise BadSetting(
                f"certo cannot check {unknown[0]!r} of a JSON schema; leave it out, or give a pydantic model"
            )
        if "$ref" in schema:
            return self._referred(str(schema["$ref"]))
        if "enum" in schema or "const" in schema:
            return Literal[tuple(schema.get("enum", [schema.get("const")]))]
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return Union[tuple(self.type_of(each, name) for each in schema[word])]  # noqa: UP007 - made at run time
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return Union[tuple(self.type_of({**schema, "type": kind}, name) for kind in kinds)]  # noqa: UP007 - as above
        return self._of_kind(schema, kinds, name)

    def _of_kind(self, schema: Mapping[str, Any], kind: Any, name: str) -> Any:
        bounds = {ours: schema[theirs] for theirs, ours in _BOUNDS.items() if theirs in schema}
        if kind == "object" or (kind is None and "properties" in schema):
            return self._object(schema, name)
        if kind == "array":
            return Annotated[list[self.type_of(schema.get("items", True), f"{name}Item")], Field(**bounds)]  # type: ignore[misc]  # a type that is made at run time
        if kind == "string":
            return Annotated[str, StringConstraints(**{_TEXT[word]: schema[word] for word in _TEXT if word in schema})]
        if kind is None:
            return JsonValue
        if kind not in _PLAIN:
            raise BadSetting(f"{kind!r} is no type of a JSON schema; use object, array, string, {', '.join(_PLAIN)}")
        return Annotated[_PLAIN[kind], Field(strict=True, **bounds)] if _PLAIN[kind] is not None else None

    def _object(self, schema: Mapping[str, Any], name: str) -> Any:
        rest = schema.get("additionalProperties", True)
        properties = schema.get("properties", {})
        if not properties and rest is not False:
            return dict[str, self.type_of(rest, f"{name}Value")]  # type: ignore[misc]  # a type that is made at run time
        required = set(schema.get("required", ()))
        fields: dict[str, Any] = {
            # Fields get names of our own, because a property's name may be no valid attribute.
            f"field_{number}": (
                self.type_of(each, f"{name}{key.title()}"),
                Field(alias=key) if key in required else Field(alias=key, default=None),
            )
            for number, (key, each) in enumerate(properties.items())
        }
        config = ConfigDict(strict=True, extra="forbid" if rest is False else "allow")
        return create_model(str(schema.get("title", name)), __base__=_base(config), **fields)

    def _referred(self, reference: str) -> Any:
        name = reference.removeprefix("#/$defs/")
        if name not in self._definitions:
            raise BadSetting(f"the JSON schema refers to {reference!r}, which is not in its '$defs'")
        if name in self._open:
            raise BadSetting(f"the JSON schema's {name!r} contains itself; give a pydantic model instead")
        self._open.append(name)
        try:
            return self.type_of(self._definitions[name], name)
        finally:
            self._open.pop()


def _base(config: ConfigDict) -> type[BaseModel]:
    return type("_Base", (_Strict,), {"model_config": config, "__module__": __name__})
