"""Tests in a language model's answer, as tests of our own that the filter can run, break and judge."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from certo.analysis.capabilities import Capability
from certo.analysis.capability_uses import uses_in
from certo.generation.model.code_blocks import blocks
from certo.generation.regression.bodies import Assertion, TestBody
from certo.generation.regression.layout import Form
from certo.generation.regression.test_file import NewTest

MAX_TESTS = 8
MAX_LINES = 25
"""Maximum numbers of tests that are taken from an answer, and of lines in each."""

NO_SUCH_TEXT = "no such text"


def proposed_in(answer: str, form: Form, taken: Collection[str]) -> tuple[NewTest, ...]:
    """Return the usable tests of an answer, under names that are not `taken`."""
    found: list[NewTest] = []
    for block in blocks(answer):
        if not block.is_python:
            continue
        try:
            module = ast.parse(block.code)
        except (SyntaxError, ValueError):
            continue
        imports = dict(_imports(module))
        for node in module.body:
            names = {*taken, *(test.name for test in found)}
            if isinstance(node, ast.FunctionDef) and (test := _test_of(node, module, imports, form, names)) is not None:
                found.append(test)
    return tuple(found[:MAX_TESTS])


def _imports(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that an answer imports under their own names, each with its module; "" for a module itself."""
    for node in module.body:
        if isinstance(node, ast.Import):
            yield from ((one.name, "") for one in node.names if one.asname is None)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((one.name, node.module) for one in node.names if one.asname is None)


def _test_of(
    node: ast.FunctionDef, module: ast.Module, imports: dict[str, str], form: Form, taken: Collection[str]
) -> NewTest | None:
    """Return one function as a test; None if it cannot be one of this project's, or does more than call and compare."""
    parameters = node.args.args
    is_plain = not (node.decorator_list or node.args.kwonlyargs or node.args.vararg or node.args.kwarg)
    is_named = node.name.startswith("test_") and node.name not in taken
    if not is_plain or not is_named or (form == "unittest" and parameters):
        return None
    if any(use.reach is not Capability.TESTS for use in uses_in(node, module)):
        return None
    body = _body_of(node)
    if body is None or len(body.lines()) > MAX_LINES:
        return None
    used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return NewTest(
        name=node.name,
        body=body,
        imports=tuple((name, home) for name, home in imports.items() if name.partition(".")[0] in used),
        states=(ast.get_docstring(node) or "").strip().rstrip(".").partition("\n")[0],
    )


def _body_of(node: ast.FunctionDef) -> TestBody | None:
    """Return the body of a test: each statement that asserts something, with those before it; None without any."""
    setup: list[str] = []
    assertions: list[Assertion] = []
    statements = node.body[1:] if ast.get_docstring(node) is not None else node.body
    for statement in statements:
        lines = ast.unparse(statement).splitlines()
        broken = _Broken()
        other = ast.unparse(broken.visit(ast.parse(ast.unparse(statement)))).splitlines()
        if not broken.number:
            setup += lines
        else:
            assertions.append(Assertion((*setup, *lines), (*setup, *other)))
            setup = []
    if not assertions:
        return None
    fixtures = tuple(argument.arg for argument in node.args.args)
    return TestBody(setup=(), assertions=tuple(assertions), fixtures=fixtures)


class _Broken(ast.NodeTransformer):
    """Breaks every assertion in a statement, and counts them."""

    def __init__(self) -> None:
        self.number = 0

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """Return the assertion of the opposite."""
        self.number += 1
        return ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=node.test), msg=None)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Return `pytest.raises` with a text that no message has."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "raises":
            self.number += 1
            others = [one for one in node.keywords if one.arg != "match"]
            return ast.Call(node.func, node.args, [*others, ast.keyword("match", ast.Constant(NO_SUCH_TEXT))])
        return node
