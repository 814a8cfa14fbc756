"""Parameters of a tool, from a pydantic model, a JSON schema or a function's annotations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, Union, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, ValidationError, create_model

from certo.vocabulary.records import dataclass

Schema: TypeAlias = type[BaseModel] | Mapping[str, Any] | Callable[..., Any]
"""Description of a tool's arguments: a pydantic model, a JSON schema, or the function itself."""

_PLAIN: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}
_BOUNDS: Mapping[str, str] = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
"""JSON schema keywords with another name in pydantic's Field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool: its type for pydantic, and if it is required."""

    annotation: Any
    required: bool

    def objection(self, value: object) -> str:
        """Return the reason why a value is invalid; empty if it is valid or its type is unknown to pydantic."""
        try:
            adapter = TypeAdapter[Any](self.annotation)
        except PydanticUserError:
            return ""
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            return f"{where}: {first['msg']}" if where else first["msg"]
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Arguments of a tool by name, in order; `open` means that others are allowed.

    `positional` are the names of those that may be given by position.
    """

    named: Mapping[str, Parameter]
    positional: tuple[str, ...]
    open: bool = False


def parameters_of(schema: Schema) -> Parameters:
    """Return the arguments of a tool.

    Raises:
        TypeError: A function's annotations name something undefined.
    """
    if isinstance(schema, Mapping):
        return _of_json(schema, schema)
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return _of_model(schema)
    return _of_function(schema)


def _of_model(model: type[BaseModel]) -> Parameters:
    named = {
        (field.alias or name): Parameter(annotation=Annotated[field.annotation, field], required=field.is_required())
        for name, field in model.model_fields.items()
    }
    return Parameters(named=named, positional=tuple(named), open=model.model_config.get("extra") == "allow")


def _of_function(function: Callable[..., Any]) -> Parameters:
    try:
        types = get_type_hints(function, include_extras=True)
    except NameError as error:
        raise TypeError(f"the annotations of {function.__qualname__} cannot be read: {error}") from error
    found = inspect.signature(function).parameters.values()
    kinds = inspect.Parameter
    ordinary = [each for each in found if each.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)]
    return Parameters(
        named={
            each.name: Parameter(annotation=types.get(each.name, Any), required=each.default is kinds.empty)
            for each in ordinary
        },
        positional=tuple(each.name for each in ordinary if each.kind is not kinds.KEYWORD_ONLY),
        open=len(ordinary) < len(found),
    )


def _of_json(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Parameters:
    required = schema.get("required", ())
    named = {
        name: Parameter(annotation=type_of(each, root), required=name in required)
        for name, each in schema.get("properties", {}).items()
    }
    return Parameters(named=named, positional=tuple(named), open=schema.get("additionalProperties", True) is not False)


def type_of(schema: Any, root: Mapping[str, Any]) -> Any:
    """Return the strict type of a JSON schema for pydantic.

    `root` is the schema that its references point into. Unsupported parts of a schema allow anything.
    """
    match schema:
        case {"$ref": str() as reference}:
            return _referred(reference, root)
        case {"const": value}:
            return Literal[value]
        case {"enum": [*values]}:
            return Literal[tuple(values)]
        case {"anyOf": [*choices]} | {"oneOf": [*choices]}:
            return Union[tuple(type_of(each, root) for each in choices)]  # noqa: UP007 - its length is not known here
        case {"type": [*kinds]}:
            return Union[tuple(type_of({**schema, "type": kind}, root) for kind in kinds)]  # noqa: UP007 - as above
        case {"type": str() as kind}:
            return _bounded(_of_kind(kind, schema, root), schema)
        case _:
            return Any


def _of_kind(kind: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    match kind:
        case "array":
            return list[type_of(schema.get("items", True), root)]  # type: ignore[misc]  # a type that is made here
        case "object" if "properties" in schema:
            return _object(schema, root)
        case "object":
            return dict[str, type_of(schema.get("additionalProperties", True), root)]  # type: ignore[misc]  # as above
        case "number":
            return Annotated[float, Field(strict=True)]
        case _ if kind in _PLAIN:
            return _PLAIN[kind] if kind == "null" else Annotated[_PLAIN[kind], Field(strict=True)]
        case _:
            return Any


def _object(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    found = _of_json(schema, root)
    fields: dict[str, Any] = {
        f"field_{number}": (each.annotation, Field(alias=name) if each.required else Field(default=None, alias=name))
        for number, (name, each) in enumerate(found.named.items())
    }
    extra: Literal["allow", "forbid"] = "allow" if found.open else "forbid"
    return create_model("Object", __config__=ConfigDict(extra=extra), **fields)


def _bounded(kind: Any, schema: Mapping[str, Any]) -> Any:
    bounds = {ours: schema[theirs] for theirs, ours in _BOUNDS.items() if theirs in schema}
    return Annotated[kind, Field(**bounds)] if bounds else kind


def _referred(reference: str, root: Mapping[str, Any]) -> Any:
    """Return the type of a definition; a recursive one allows anything below its first level."""
    _, _, place = reference.partition("#/")
    group, _, name = place.partition("/")
    known = root.get(group)
    if not isinstance(known, Mapping) or name not in known:
        return Any
    return type_of(known[name], {**root, group: {other: each for other, each in known.items() if other != name}})
