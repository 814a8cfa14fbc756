"""Kind of an edit in words: the constructs of Python that it adds, drops or changes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping

from certo.edits.source import parse
from certo.vocabulary.text import Span

_PARTS: Mapping[str, str] = {
    "If": "a condition", "IfExp": "a condition", "For": "a loop", "AsyncFor": "a loop", "While": "a loop",
    "Try": "a try statement", "TryStar": "a try statement", "Raise": "a raise", "Return": "a return",
    "With": "a with block", "AsyncWith": "a with block", "Assign": "an assignment", "AnnAssign": "an assignment",
    "AugAssign": "an assignment in place", "Match": "a match statement", "ListComp": "a comprehension",
    "SetComp": "a comprehension", "DictComp": "a comprehension", "GeneratorExp": "a comprehension",
    "FunctionDef": "a function", "Lambda": "a function", "Call": "a call", "Compare": "a comparison",
    "BoolOp": "an and or an or", "BinOp": "arithmetic", "Subscript": "a subscript", "Import": "an import",
    "ImportFrom": "an import", "Break": "a break", "Continue": "a continue", "Yield": "a yield", "Await": "an await",
}  # fmt: skip
"""Parts of a program worth mentioning, by node type, the most important first."""

_MAX_ITEMS = 3
"""Maximum number of parts named on each side."""


def kind_of_edit(before: str, after: str) -> str:
    """Return a short description of an edit: "adds a condition and a return", "changes an operator".

    Only the numbers of occurrences are compared, not positions.
    """
    try:
        old, new = _counted(parse(before)), _counted(parse(after))
    except SyntaxError:
        return "writes what does not parse"
    said = [
        f"{verb} {_listed(parts)}"
        for verb, parts in (("adds", new - old), ("drops", old - new))
        if any(name in _PARTS for name in parts)
    ]
    return " and ".join(said) if said else _change(parse(before), parse(after))


def kind_of_change(base: str, text: str, span: Span) -> str:
    """Return the description for a text that differs from `base` only within the function at `span`."""
    after = len(text) - (len(base) - span.end)
    return kind_of_edit(_alone(base, span.start, span.end), _alone(text, span.start, after))


def _alone(text: str, start: int, end: int) -> str:
    """Return the lines of a function as a text of its own."""
    source = text[text.rfind("\n", 0, start) + 1 : end]
    return f"if True:\n{source}" if source[:1].isspace() else source


def _counted(tree: ast.Module) -> Counter[str]:
    return Counter(type(node).__name__ for node in ast.walk(tree))


def _listed(parts: Counter[str]) -> str:
    words = list(dict.fromkeys(word for name, word in _PARTS.items() if name in parts))[:_MAX_ITEMS]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _change(old: ast.Module, new: ast.Module) -> str:
    """Return the difference between trees with the same numbers of constructs."""
    for word, details in (
        ("an operator", _operators),
        ("a constant", _constants),
        ("a name", _names),
    ):
        if Counter(details(old)) != Counter(details(new)):
            return f"changes {word}"
    return "changes the order" if ast.dump(old) != ast.dump(new) else "changes the layout alone"


def _operators(tree: ast.Module) -> Iterable[str]:
    return (
        type(node).__name__
        for node in ast.walk(tree)
        if isinstance(node, ast.operator | ast.cmpop | ast.boolop | ast.unaryop)
    )


def _constants(tree: ast.Module) -> Iterable[str]:
    return (repr(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant))


def _names(tree: ast.Module) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
