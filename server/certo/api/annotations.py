"""The Python source of a JSON schema: annotations, and the typed dictionaries they need."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any

_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Annotations:
    """Writes the annotations of one module; `definitions` are the statements they need before them."""

    def __init__(self) -> None:
        self._written: dict[str, str] = {}
        self._names: dict[str, str] = {}

    @property
    def definitions(self) -> str:
        """The typed dictionaries, in the order in which they need each other."""
        return "\n".join(self._written.values())

    def of(self, schema: Mapping[str, Any], name: str) -> str:
        """The annotation for values of a schema; `name` is what an object without a title is called."""
        return self._of(schema, schema.get("$defs", {}), _class_name(name))

    def _of(self, schema: Any, definitions: Mapping[str, Any], name: str) -> str:
        if not isinstance(schema, Mapping):
            return "Any"
        if "$ref" in schema:
            return self._referred(str(schema["$ref"]), definitions)
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join(map(repr, values))}]"
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return " | ".join(dict.fromkeys(self._of(each, definitions, name) for each in schema[word]))
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self._of({**schema, "type": each}, definitions, name) for each in kind)
        if kind == "array":
            return self._array(schema, definitions, name)
        if kind == "object" or "properties" in schema:
            return self._object(schema, definitions, name)
        return _PLAIN.get(str(kind), "Any")

    def _array(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], name: str) -> str:
        items = schema.get("items", schema.get("prefixItems"))
        if isinstance(items, list):
            inner = " | ".join(dict.fromkeys(self._of(each, definitions, f"{name}Item") for each in items))
        else:
            inner = self._of(items, definitions, f"{name}Item")
        return f"list[{inner or 'Any'}]"

    def _object(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], name: str) -> str:
        properties = schema.get("properties")
        if not properties:
            return f"dict[str, {self._of(schema.get('additionalProperties'), definitions, f'{name}Value')}]"
        title = _class_name(str(schema.get("title", name)))
        if title not in self._written:
            self._written[title] = ""
            required = set(schema.get("required", ()))
            fields = []
            for key, each in properties.items():
                annotation = self._of(each, definitions, f"{title}{_class_name(key)}")
                fields.append(f"{key!r}: {annotation if key in required else f'NotRequired[{annotation}]'}")
            # What it needs was written meanwhile, and has to stand before it.
            del self._written[title]
            self._written[title] = f"{title} = TypedDict({title!r}, {{{', '.join(fields)}}})"
        return title

    def _referred(self, reference: str, definitions: Mapping[str, Any]) -> str:
        name = reference.rpartition("/")[2]
        if name in self._names:
            return self._names[name]
        # Whoever refers to itself on the way gets no closer type than this.
        self._names[name] = "Any"
        self._names[name] = self._of(definitions.get(name), definitions, _class_name(name))
        return self._names[name]


def _class_name(words: str) -> str:
    """A class name made of whatever words there are."""
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", words) if part) or "Value"
    return f"{name}_" if keyword.iskeyword(name) or name[0].isdigit() else name
