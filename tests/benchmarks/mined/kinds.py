"""Kinds of fixes, told from the statements that they change."""

from __future__ import annotations

import ast
import re
import textwrap

from mined.history import changes_of

REGULAR_EXPRESSION = re.compile(r"\\[dwsSDWbB]|\(\?|\[\^|\.\*|\.\+|\$$|^\^")
ENCODING = re.compile(r"\b(en|de)cod(e|ing)\b|utf-?8|\bbytes\b|\bto_(text|bytes|native|unicode)\b|\bunicode\b", re.I)
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith)
SAME_BUT = {ast.AsyncFor: ast.For, ast.AsyncWith: ast.With}
MESSAGES = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "print", "log", "fail_json"}
)


def kind_of(before: str, fixed: str) -> str:
    """Return the kind of the fix that turns one normalised function into the other."""
    gone, come = changes_of(before, fixed)[0]
    if sorted(line.strip() for line in gone) == sorted(line.strip() for line in come):
        return "the order or the block of statements"
    if not come:
        return "a statement too many"
    if not gone:
        return _put_in(come)
    old, new = _statements(gone), _statements(come)
    if len(gone) == len(come) == 1:
        return _of_line(gone[0], come[0], old, new)
    inner = {line.strip() for line in gone}
    if inner < {line.strip() for line in come}:
        return _wrapped(come, inner)
    return "several statements written anew"


def _statements(lines: list[str]) -> list[ast.stmt]:
    """Return lines as statements, with a `pass` below a head without its block, and above one without its head."""
    text = textwrap.dedent("\n".join(lines))
    for head in ("", "if x:\n    pass\n", "try:\n    pass\n"):
        for tail in ("", "\n    pass", "\n        pass", "\nexcept x:\n    pass", "\n    pass\nexcept x:\n    pass"):
            try:
                return ast.parse(head + text + tail).body
            except SyntaxError:
                continue
    return []


def _put_in(come: list[str]) -> str:
    first, found = come[0].strip(), _statements(come)
    if first.startswith(("else:", "elif ")):
        return "a missing branch"
    if first.startswith(("except", "finally", "try:")):
        return "the handling of an exception"
    if first.startswith("with "):
        return "the handling of a resource"
    if len(found) == 1 and isinstance(found[0], ast.If) and isinstance(found[0].body[-1], LEAVES):
        return "a missing guard, of None" if "None" in come[0] else "a missing guard"
    if found and isinstance(found[0], (ast.Raise, ast.Assert)):
        return "a missing guard"
    if len(found) == 1 and isinstance(found[0], ast.If):
        return "a missing block under a condition"
    if len(found) == 1 and isinstance(found[0], ast.Expr):
        return "a missing call"
    if len(found) == 1 and isinstance(found[0], (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        return "a missing assignment"
    return "a missing result" if len(found) == 1 and isinstance(found[0], ast.Return) else "a missing block"


def _wrapped(come: list[str], inner: set[str]) -> str:
    heads = [line.strip() for line in come if line.strip() not in inner]
    if any(head.startswith(("except", "try:", "finally")) for head in heads):
        return "the handling of an exception"
    if any(head.startswith("with ") for head in heads):
        return "the handling of a resource"
    if heads[0].startswith("if "):
        return "a condition around a statement, of None" if "None" in heads[0] else "a condition around a statement"
    return "a missing branch" if heads[0].startswith(("else", "elif")) else _put_in(heads)


def _of_line(gone: str, come: str, old: list[ast.stmt], new: list[ast.stmt]) -> str:
    if ("await " in gone) != ("await " in come) or gone.replace("async ", "") == come.replace("async ", ""):
        return "async or await"
    if gone.strip().startswith("except") or come.strip().startswith("except"):
        return "the type of an exception"
    if not old or not new:
        return "several statements written anew"
    one, other = old[-1], new[-1]
    if type(one) is not type(other):
        return "another kind of statement"
    if isinstance(one, ast.Raise) and isinstance(other, ast.Raise) and _name(one.exc) != _name(other.exc):
        return "the type of an exception"
    path: list[ast.AST] = []
    return _of_nodes(*_smallest(one, other, path), path)


def _name(node: ast.AST | None) -> str:
    return ast.dump(node.func if isinstance(node, ast.Call) else node) if node is not None else ""


def _smallest(one: ast.AST, other: ast.AST, path: list[ast.AST]) -> tuple[ast.AST, ast.AST]:
    """Return the smallest parts in which two trees differ, and put those around them into `path`."""
    while type(one) is type(other):
        pairs: list[tuple[object, object]] = []
        for name in one._fields:
            here, there = getattr(one, name, None), getattr(other, name, None)
            if isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
                pairs += zip(here, there, strict=True)
            else:
                pairs.append((here, there))
        different = [each for each in pairs if _dump(each[0]) != _dump(each[1])]
        here, there = different[0] if len(different) == 1 else (None, None)
        if not isinstance(here, ast.AST) or not isinstance(there, ast.AST):
            return one, other
        path.append(one)
        one, other = here, there
    return one, other


def _dump(node: object) -> object:
    if isinstance(node, list):
        return [_dump(one) for one in node]
    return ast.dump(node) if isinstance(node, ast.AST) else node


def _of_nodes(one: ast.AST, other: ast.AST, path: list[ast.AST]) -> str:
    texts = ast.unparse(one), ast.unparse(other)
    if (len(ENCODING.findall(texts[0])) != len(ENCODING.findall(texts[1]))) and not isinstance(other, ast.BoolOp):
        return "encoding"
    if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        return _of_constants(one.value, other.value, path)
    if (
        isinstance(one, (ast.JoinedStr, ast.FormattedValue))
        or isinstance(other, ast.JoinedStr)
        or "%" in texts[0] + texts[1]
    ):
        return "the format of a text"
    if isinstance(one, (ast.operator, ast.cmpop, ast.boolop, ast.unaryop)) or (
        isinstance(one, ast.Compare) and isinstance(other, ast.Compare) and type(one.ops[0]) is not type(other.ops[0])
    ):
        return "None told from other values" if "None" in texts[1] else "an operator"
    return _of_expressions(one, other, path)


def _of_expressions(one: ast.AST, other: ast.AST, path: list[ast.AST]) -> str:
    texts = ast.unparse(one), ast.unparse(other)
    if isinstance(other, ast.BoolOp) or isinstance(one, ast.BoolOp):
        return "another clause of a condition, of None" if "None" in texts[1] else "another clause of a condition"
    if "is None" in texts[1] or "is not None" in texts[1]:
        return "None told from other values"
    if isinstance(one, ast.Call) and isinstance(other, ast.Call) and _name(one) == _name(other):
        more = len(other.args) + len(other.keywords) - len(one.args) - len(one.keywords)
        return "an argument missing" if more > 0 else "an argument too many" if more < 0 else "the wrong arguments"
    if texts[0] in texts[1]:
        return "a value not converted, wrapped or completed"
    if texts[1] in texts[0]:
        return "a value converted or wrapped too much"
    return _of_names(one, other, path)


def _of_names(one: ast.AST, other: ast.AST, path: list[ast.AST]) -> str:
    calls = [node for node in path if isinstance(node, ast.Call)]
    if isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute):
        callee = bool(calls) and calls[-1].func in (one, *path)
        return "the wrong method or function" if callee and path[-1] is calls[-1] else "the wrong attribute"
    if isinstance(one, (ast.Name, ast.Attribute)) and isinstance(other, (ast.Name, ast.Attribute)):
        return (
            "the wrong method or function"
            if path and isinstance(path[-1], ast.Call) and path[-1].func is one
            else "the wrong variable"
        )
    if isinstance(one, (ast.Dict, ast.List, ast.Set, ast.Tuple)):
        return "a case missing in a table or tuple"
    if isinstance(one, (ast.Subscript, ast.Slice)) or isinstance(other, (ast.Subscript, ast.Slice)):
        return "an item or a slice"
    return (
        "another condition" if path and isinstance(path[-1], (ast.If, ast.While, ast.IfExp)) else "another expression"
    )


def _of_constants(old: object, new: object, path: list[ast.AST]) -> str:
    if not isinstance(old, (str, bytes)) or not isinstance(new, (str, bytes)):
        return "a number or another constant"
    near = path[-1] if path else None
    call = next((node for node in reversed(path) if isinstance(node, ast.Call)), None)
    name = getattr(call.func, "attr", getattr(call.func, "id", "")) if call is not None else ""
    if isinstance(near, ast.Subscript) or (name in {"get", "pop", "setdefault", "getattr"} and near is call):
        return "the wrong key"
    if name in {"match", "search", "sub", "compile", "findall", "fullmatch"} or any(
        REGULAR_EXPRESSION.search(str(each)) for each in (old, new)
    ):
        return "a regular expression"
    if name in MESSAGES or isinstance(path[0], ast.Raise) or " " in str(new).strip():
        return "the words of a text"
    return "a text constant"
