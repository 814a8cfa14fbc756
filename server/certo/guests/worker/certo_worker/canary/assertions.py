"""Rewriting of a module's syntax tree that breaks its assertions: honest values fail them, forged ones still pass.

Negating `assert result == 5` would not do. A forged result that equals anything would fail `not result == 5` as an
honest one does, and nothing would show. So a comparison keeps its operator and gets a wrong operand instead: an honest
result does not equal the wrong value, a forged one does. Assertions that are not comparisons are negated.

Each comparison is broken by itself. In `assert a == 1 and b == 2` a forged `a` and an honest `b` must not cover for
each other, so the broken form is `broken(a == 1) or broken(b == 2)`: it passes if either of them accepts a wrong value.
For the same reason `all(...)` becomes `any(...)` of broken comparisons.

An assertion that runs while a file is collected has to hold for its tests to run at all. There, the outcome of the
broken form is reversed: the file is collected if honest values fail it, as they should, and not if forged ones pass.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import sysconfig
from functools import lru_cache
from types import CodeType
from typing import Any, Callable, List, Optional, Set

from certo_worker.canary.judgements import MISSED_NAME, VERDICTS, VERDICTS_NAME
from certo_worker.canary.unasserted import (
    RAISES,
    WARNS,
    asserts_nothing,
    branches,
    is_never_executed,
    last_name,
)
from certo_worker.canary.wrong_values import MARK, Decoy
from certo_worker.observation.case_record import CaseRecord


def import_into(tree: ast.Module, module: str, name: str, alias: str) -> None:
    """Insert `from module import name as alias` after the docstring and the `__future__` imports of a module."""
    place = 0
    for statement in tree.body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not docstring and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    imported = ast.ImportFrom(module, [ast.alias(name, alias)], 0)
    tree.body.insert(place, ast.copy_location(imported, tree.body[0]) if tree.body else imported)
    ast.fix_missing_locations(tree)


_ORDERS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def broken(tree: ast.Module) -> None:
    """Break every assertion of a module, and import the verdicts that they call."""
    _Breaker().visit(tree)
    for name, alias in (("VERDICTS", VERDICTS_NAME), ("MISSED", MISSED_NAME)):
        import_into(tree, "certo_worker.canary.judgements", name, alias)


class _Breaker(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> Any:
        changed = super().visit(node)
        if not is_never_executed(node):
            return changed
        # A candidate may have made `fail` do nothing, or raise what the test expects.
        missed = ast.Expr(ast.Call(ast.Name(MISSED_NAME, ast.Load()), [], []))
        return [ast.copy_location(missed, node), changed]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._break_function(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self._break_function(node)
        return node

    def _break_function(self, node: Any) -> None:
        is_bare = asserts_nothing(node)
        self.generic_visit(node)
        if is_bare:
            # Without an assertion to break, the test would pass as one does whose failure is hidden.
            node.body.append(ast.copy_location(ast.Expr(_asked("end", [])), node.body[-1]))

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        # `assert False` marks code that must not be reached; negated, it would pass.
        if not is_never_executed(node):
            node.test = ast.copy_location(_asked("judged", [_opposite(node.test)]), node.test)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = last_name(node.func)
        verdict = "never" if name in RAISES else "never_warned" if name in WARNS else ""
        if verdict and node.args:
            node.args[0] = _asked(verdict, [node.args[0]])
        for keyword in node.keywords if verdict else []:
            if keyword.arg == "expected_exception":
                keyword.value = _asked(verdict, [keyword.value])
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Call):
            name = last_name(call.func)
            if name.startswith("assert") and name not in RAISES and name not in WARNS:
                call.args.insert(0, call.func)
                call.func = _verdict("call")
        return node


def _opposite(test: ast.expr) -> ast.expr:
    """Return the broken form of an asserted expression."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return ast.BoolOp(ast.Or(), [_opposite(value) for value in test.values])
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _asked("site", [test.operand])
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.Eq):
            return _asked("equal", [test.left, test.comparators[0]])
        if isinstance(test.ops[0], ast.In):
            return _asked("within", [test.left, test.comparators[0]])
        if isinstance(test.ops[0], tuple(_ORDERS)):
            order = ast.Constant(_ORDERS[type(test.ops[0])])
            return _asked("ordered", [order, test.left, test.comparators[0]])
    every = _every(test)
    if every is not None:
        every.elt = _opposite(every.elt)
        return ast.Call(ast.Name("any", ast.Load()), [every], [])
    return ast.UnaryOp(ast.Not(), _asked("site", [test]))


def _every(test: ast.expr) -> Any:
    """Return the comprehension of `all(… for … in …)`, or None for any other expression."""
    if not isinstance(test, ast.Call) or last_name(test.func) != "all" or len(test.args) != 1:
        return None
    return test.args[0] if isinstance(test.args[0], (ast.GeneratorExp, ast.ListComp)) else None


def _asked(name: str, arguments: List[ast.expr]) -> ast.Call:
    return ast.Call(_verdict(name), arguments, [])


def _verdict(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name(VERDICTS_NAME, ast.Load()), name, ast.Load())


ARGUMENTS = ["--assert=rewrite"]
"""Arguments for pytest: without assertion rewriting, it would not call the functions patched here."""

Recall = Callable[[str], Optional[CodeType]]

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
)


_TEST_FOLDERS = frozenset(("test", "tests"))
"""Names of folders whose modules are tests or their helpers."""

_NOT_OURS = frozenset(("node_modules", "site-packages", "venv"))


_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import[ \t]*\([^)]*\)|(?:from|import)\b[^\n]*)", re.MULTILINE)


def _used_outside(root: str) -> Set[str]:
    """Return the last parts of the names of modules of tests that the project's other files may import.

    They name the folder of tests, or a module that stands nowhere else in the project.
    """
    of_tests: Set[str] = set()
    named: Set[str] = set()
    others: Set[str] = set()
    for place, folders, files in os.walk(root):
        folders[:] = [
            each for each in folders if each[0] != "." and each not in _NOT_OURS and each not in _TEST_FOLDERS
        ]
        for file in files:
            stem, kind = os.path.splitext(file)
            if kind != ".py" or stem == "conftest" or stem.startswith("test_") or stem.endswith("_test"):
                continue
            others.add(stem)
            try:
                with open(os.path.join(place, file), "rb") as opened:
                    lines = _IMPORT.findall(opened.read())
            except OSError:
                continue
            for line in lines:
                words = set(re.findall(r"\w+", line.decode("utf-8", "replace")))
                (named if _TEST_FOLDERS.isdisjoint(words) else of_tests).update(words)
    return of_tests | (named - others)


def _is_of_tests(file: str, root: str) -> bool:
    return not _TEST_FOLDERS.isdisjoint(
        os.path.relpath(os.path.realpath(file), os.path.realpath(root)).split(os.sep)[:-1]
    )


def plant(account: CaseRecord, root: str, target: str, decoy: Optional[Decoy], recall: Recall) -> None:
    """Break the assertions of each test file below `root` that is imported from now on, except the target's file.

    Those are the files that pytest rewrites, and the helpers of tests, whose assertions it leaves as they are; but not
    one that other files of the project import, as a candidate could execute a broken assertion by itself there.
    `recall` returns the broken code of a file if it was compiled before, else None.
    """
    from _pytest.assertion import rewrite  # the user's pytest, already imported

    VERDICTS.account, VERDICTS.decoy = account, decoy
    own, spared = os.path.realpath(root) + os.sep, os.path.realpath(target)
    rewritten = rewrite.rewrite_asserts

    def is_meant(real: str) -> bool:
        return real.startswith(own) and real != spared and not real.startswith(_LIBRARIES)

    def break_and_rewrite(tree: ast.Module, source: bytes, path: Optional[str] = None, config: Any = None) -> None:
        real = os.path.realpath(path or "")
        if is_meant(real):
            VERDICTS.files.add(real)
            broken(tree)
        rewritten(tree, source, path, config)

    def read(source: Any, *_arguments: Any, **_named: Any) -> Optional[CodeType]:
        real = os.path.realpath(source)
        code = recall(str(source)) if is_meant(real) else None
        if code is not None:
            VERDICTS.files.add(real)
        return code

    patched: Any = rewrite
    patched.rewrite_asserts = break_and_rewrite
    hook = patched.AssertionRewritingHook
    rewrites, used_outside = hook._should_rewrite, lru_cache(maxsize=1)(_used_outside)

    def should_rewrite(self: Any, name: str, file: str, state: Any) -> bool:
        is_helper = is_meant(os.path.realpath(file)) and _is_of_tests(file, root)
        if is_helper and name.rpartition(".")[2] not in used_outside(root):
            return True
        return bool(rewrites(self, name, file, state))

    # By its name alone, pytest would skip a helper before its file is known.
    hook._early_rewrite_bailout = lambda _self, _name, _state: False
    hook._should_rewrite = should_rewrite
    # pytest's cached files hold unbroken assertions, and broken ones must not get into its cache.
    patched._read_pyc = read
    patched._write_pyc = lambda *_arguments, **_named: False


def broken_code(file: str, config: Any) -> CodeType:
    """Compile a test file as pytest does, but with its assertions broken.

    Raises:
        OSError, SyntaxError, ValueError: the file cannot be read or compiled.
    """
    from _pytest.assertion import rewrite  # as above

    with open(file, "rb") as opened:
        source = opened.read()
    tree = ast.parse(source, filename=file)
    broken(tree)
    rewrite.rewrite_asserts(tree, source, file, config)
    return compile(tree, file, "exec", dont_inherit=True)


RUN = "__certo_run__"
"""Name of the function that runs a broken example which states nothing, and then fails."""


def break_examples(examples: List[doctest.Example]) -> None:
    """Make doctest examples expect another output; one that states nothing is run by `RUN`.

    An example without output that may assert something by itself stays as it is.
    """
    for example in examples:
        if example.exc_msg is not None:
            example.exc_msg = "NeverRaised: {}\n".format(MARK)
        elif example.want:
            example.want = MARK + example.want
        elif _states_nothing(example.source):
            example.source = "{}({!r})\n".format(RUN, example.source)


def _states_nothing(source: str) -> bool:
    try:
        return not any(map(branches, ast.parse(source).body))
    except (SyntaxError, ValueError, RecursionError):
        return False
