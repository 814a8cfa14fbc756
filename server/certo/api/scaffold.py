"""A small project made from a specification: the module with the hole, its tools and its tests."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Mapping
from typing import Any

from certo.api.execution import MODULE, TOOLS
from certo.api.specification import Specification

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
        """Return the annotation for values of a schema; `name` is what an object without a title is called."""
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
    """Return a class name made of these words."""
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", words) if part) or "Value"
    return f"{name}_" if keyword.iskeyword(name) or name[0].isdigit() else name


PATH = f"{MODULE}.py"
"""Where the function is wanted, relative to the project's root."""

TESTS_PATH = f"test_{MODULE}.py"
"""Where its tests are, if there are any."""


def scaffold(wanted: Specification) -> Mapping[str, str]:
    """Return the files of the project by path: a hole to be filled, and what judges whatever fills it."""
    files = {"pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n", PATH: _module(wanted)}
    if wanted.tools:
        files[f"{TOOLS}.py"] = tools_text(wanted)
    if wanted.tests.strip():
        tests = textwrap.dedent(wanted.tests).strip("\n")
        files[TESTS_PATH] = f"import {MODULE}\nfrom {MODULE} import {wanted.name}\n\n{tests}\n"
    return files


def tools_text(wanted: Specification) -> str:
    """Return the module of the tools: those that are copied, and what stands in for those that are outside."""
    return "\n\n".join(["from __future__ import annotations", *(tool.source for tool in wanted.all_tools)])


def _module(wanted: Specification) -> str:
    annotations = Annotations()
    parameters = ", ".join(f"{name}: {annotations.of(shape.own, name)}" for name, shape in wanted.input_shapes.items())
    returned = annotations.of(wanted.output_shape.own, f"{wanted.name} output")
    head = f"def {wanted.name}({parameters}) -> {returned}:"
    docstring = textwrap.indent(f'"""{_escaped(_documentation(wanted))}\n"""', "    ", lambda line: bool(line.strip()))
    written = "\n".join(filter(None, (annotations.definitions, head)))
    lines = ["from __future__ import annotations", "", *_imports(written, wanted)]
    if annotations.definitions:
        lines += [annotations.definitions, ""]
    return "\n".join([*lines, "", head, docstring, "    raise NotImplementedError", ""])


def _imports(written: str, wanted: Specification) -> list[str]:
    typing = [name for name in ("Any", "Literal", "NotRequired", "TypedDict") if re.search(rf"\b{name}\b", written)]
    lines = [f"from typing import {', '.join(typing)}", ""] if typing else []
    if wanted.tools:
        lines += [f"from {TOOLS} import {', '.join(tool.name for tool in wanted.all_tools)}", ""]
        # A model reads this file and no other one.
        for tool in wanted.all_tools:
            lines += [textwrap.indent(tool.head, "# ", lambda _: True).replace("# \n", "#\n"), ""]
    return lines


def _documentation(wanted: Specification) -> str:
    """Return the docstring: what is wanted, and the examples in the way Python's own documentation gives them."""
    shown = [_shown(wanted, example.inputs, example.output) for example in wanted.examples]
    return "\n\n".join([wanted.description.strip(), *(["\n".join(shown)] if shown else [])])


def _shown(wanted: Specification, inputs: Mapping[str, Any], output: Any) -> str:
    """Return one example as a line to type and what it prints; what prints in more than one way is compared instead."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in wanted.plain_inputs(inputs).items())
    call, value = f"{wanted.name}({arguments})", wanted.output_shape.plain(output)
    if value is None or isinstance(value, dict | list | float):
        return f">>> {call} == {value!r}\nTrue"
    return f">>> {call}\n{value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
