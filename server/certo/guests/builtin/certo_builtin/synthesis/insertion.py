"""Insertion of a body into a hole, keeping docstring, indentation and line breaks."""

from __future__ import annotations

import ast
import re
from typing import List, Tuple

from certo_builtin.source import Edit, Function, Source

MODULES = ("math", "collections", "itertools", "hashlib", "re", "statistics", "string")


def imports_for(expression: str, source: Source) -> List[str]:
    """Return the import lines that an expression needs and the document lacks at its top level."""
    known = {
        alias.asname or alias.name for node in source.tree.body if isinstance(node, ast.Import) for alias in node.names
    }
    return [
        "import " + module
        for module in MODULES
        if re.search(r"\b{}\.".format(module), expression) and module not in known
    ]


def filled(source: Source, target: Function, lines: List[str]) -> Tuple[Edit, ...]:
    """Return the edits that replace the body of the target, except its docstring, by these lines."""
    body = list(target.body)
    line_of_def = source.text[source.starts[target.lineno - 1] :]
    outer = line_of_def[: len(line_of_def) - len(line_of_def.lstrip(" \t"))]
    first = body[0]
    start = source.start(first)
    lead = source.text[source.starts[first.lineno - 1] : start]
    indent = lead if not lead.strip() else outer + "    "
    joint = source.newline + indent
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        if len(body) == 1:
            end = source.end(first)
            return ((end, end, joint + joint.join(lines)),)
        start = source.start(body[1])
    elif lead.strip() and len(lines) > 1:
        # A body on the line of its `def` has to move below it.
        start = len(source.text[:start].rstrip())
        return ((start, source.end(body[-1]), joint + joint.join(lines)),)
    return ((start, source.end(body[-1]), joint.join(lines)),)
