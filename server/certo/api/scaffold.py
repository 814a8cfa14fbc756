"""A small project made from a specification: the module with the hole, its tools and its tests."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Any

from certo.api.annotations import Annotations
from certo.api.calling import MODULE, TOOLS
from certo.api.specification import Specification

PATH = f"{MODULE}.py"
"""Where the function is wanted, relative to the project's root."""


def scaffold(wanted: Specification) -> Mapping[str, str]:
    """The files of the project by path: a hole to be filled, and what judges whatever fills it."""
    files = {"pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n", PATH: _module(wanted)}
    if wanted.tools:
        files[f"{TOOLS}.py"] = tools_text(wanted)
    if wanted.tests.strip():
        tests = textwrap.dedent(wanted.tests).strip("\n")
        files[f"test_{MODULE}.py"] = f"import {MODULE}\nfrom {MODULE} import {wanted.name}\n\n{tests}\n"
    return files


def tools_text(wanted: Specification) -> str:
    """The module of the tools: those that are copied, and what stands in for those that are outside."""
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
    return lines


def _documentation(wanted: Specification) -> str:
    """The docstring: what is wanted, and the examples in the way Python's own documentation gives them."""
    shown = [_shown(wanted, example.inputs, example.output) for example in wanted.examples]
    return "\n\n".join([wanted.description.strip(), *(["\n".join(shown)] if shown else [])])


def _shown(wanted: Specification, inputs: Mapping[str, Any], output: Any) -> str:
    """One example as a line to type and what it prints; what prints in more than one way is compared instead."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in wanted.plain_inputs(inputs).items())
    call, value = f"{wanted.name}({arguments})", wanted.output_shape.plain(output)
    if value is None or isinstance(value, dict | list | float):
        return f">>> {call} == {value!r}\nTrue"
    return f">>> {call}\n{value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
