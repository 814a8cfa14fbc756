"""What the templates propose for a mined fix, without running anything."""

from __future__ import annotations

import ast
import builtins
import difflib
import importlib
import keyword
import re
import sys
import textwrap
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from mined.history import FUNCTIONS, Function, Mined, functions_of, normalised

from certo_builtin.question import Question
from certo_builtin.repair import templates
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.naturalness import Naturalness
from certo_builtin.repair.priors import place_of
from certo_builtin.repair.ranking import MAX_READ, asked_for, told_factor
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.repair.token_model import MIN_TOKENS_FACTOR
from certo_builtin.source import Edit, Source, applied, within

UNSAFE = frozenset({"antigravity", "this", "idlelib", "turtle", "turtledemo", "tkinter", "__main__"})
OLD_OCTAL = re.compile(r"0\d")
WORD = re.compile(r"\w+|[^\w\s(),'\"\\;]")


@dataclass
class Offer:
    """One edit that templates propose: who does, where, and the factors that do not depend on priors."""

    ways: list[tuple[int, str, float]]
    """Template, place, and weight among its alternatives there, by the places that propose the edit."""
    natural: float
    tokens: float


@dataclass
class Proposed:
    """All edits proposed for a fix; `right` is the number of the one that makes the fixed tree, if any.

    `tried` counts the nodes at which a template proposes anything, by template and place.
    """

    repo: str
    part: str
    offers: list[Offer]
    right: list[int]
    tried: Counter[tuple[int, str]] = field(default_factory=Counter)


def question_for(fix: Mined, target: Function, source: Source) -> Question:
    """Return what the daemon would ask."""
    first = min([target.lineno, *(one.lineno for one in target.decorator_list)])
    return Question(
        root=".", path=fix.path, text=fix.before, qualname=fix.qualname,
        start=source.starts[first - 1] + target.col_offset, end=source.end(target), line=target.lineno, is_hole=False,
        docstring=ast.get_docstring(target) or "", instruction="", selected=None, failing=[], passing=[], examples=[],
        seconds=60.0, steps=40_000_000, candidates=20_000, seed=0, plausible=24, unwanted=[],
    )  # fmt: skip


def scope_of(tree: ast.Module) -> dict[str, Any]:
    """Return stand-ins for a module's globals: empty classes and functions, and what it has of the standard library."""
    scope: dict[str, Any] = {}
    for node in tree.body:
        for one in [node, *(node.body if isinstance(node, (ast.Try, ast.If)) else [])]:
            if isinstance(one, ast.Import):
                for name in one.names:
                    _put(
                        scope,
                        name.asname or name.name.partition(".")[0],
                        _module(name.name if name.asname else name.name.partition(".")[0]),
                    )
            elif isinstance(one, ast.ImportFrom) and one.module and not one.level:
                module = _module(one.module)
                for name in one.names:
                    _put(scope, name.asname or name.name, getattr(module, name.name, None))
            elif isinstance(one, FUNCTIONS):
                _put(scope, one.name, _stand_in(one))
            elif isinstance(one, ast.ClassDef):
                _put(scope, one.name, _class(one, scope))
    return scope


def _put(scope: dict[str, Any], name: str, value: Any) -> None:
    if value is not None:
        scope[name] = value


@cache
def _module(name: str) -> Any:
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names or top in UNSAFE or top.startswith("_"):
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _stand_in(node: Function) -> Any:
    """Return an empty function with the parameters of another."""
    arguments = ast.parse(ast.unparse(ast.FunctionDef(node.name, node.args, [ast.Pass()], [], lineno=1))).body[0]
    assert isinstance(arguments, ast.FunctionDef)
    given = arguments.args
    for one in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
        if one is not None:
            one.annotation = None
    given.defaults = [ast.Constant(None) for _ in given.defaults]
    given.kw_defaults = [None if one is None else ast.Constant(None) for one in given.kw_defaults]
    arguments.type_params = []
    made: dict[str, Any] = {}
    # The text is made of names alone: nothing of the project runs.
    exec(compile(ast.fix_missing_locations(ast.Module([arguments], [])), "<stand-in>", "exec"), made)
    return made[node.name]


def _class(node: ast.ClassDef, scope: dict[str, Any]) -> Any:
    found = [scope.get(one.id, getattr(builtins, one.id, None)) for one in node.bases if isinstance(one, ast.Name)]
    bases = tuple(one for one in found if isinstance(one, type) and issubclass(one, Exception))[:1]
    if not bases and node.name.endswith(("Error", "Exception")):
        bases = (Exception,)
    methods = {one.name: _stand_in(one) for one in node.body if isinstance(one, FUNCTIONS)}
    methods.pop("__init_subclass__", None)
    return type(node.name, bases, methods)


def propose(fix: Mined) -> Proposed | None:
    """Return all edits that the templates propose for a fix; None if its function is not found."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _propose(fix)


def _propose(fix: Mined) -> Proposed | None:
    source = Source(fix.before)
    target = dict(functions_of(source.tree)).get(fix.qualname)
    if target is None:
        return None
    question = question_for(fix, target, source)
    literals = [ast.literal_eval(one) for one in fix.literals if not OLD_OCTAL.match(one)]
    scope = scope_of(source.tree)
    if new_words(fix, target, scope):
        return Proposed(fix.repo, fix.part, [], [])
    context = RepairContext(
        source, target, {}, {}, list(dict.fromkeys(literals)), expected=fix.expected, raised=["AssertionError"],
        scope=scope,
    )  # fmt: skip
    near = near_change(target, fix.fixed)
    at_change, _ = _offered(context, question, [each for each in context.nodes() if each[0] in near])
    if not any(right_ones(fix, question, list(at_change))):
        return Proposed(fix.repo, fix.part, [], [])
    return _judged(fix, context, question, *_offered(context, question, list(context.nodes())))


Ways = dict[tuple[Edit, ...], list[tuple[int, str, float]]]


def _offered(
    context: RepairContext, question: Question, nodes: list[tuple[ast.stmt, ast.AST]]
) -> tuple[Ways, Counter[tuple[int, str]]]:
    """Return the edits that templates propose at these nodes, and where they propose any."""
    tried: Counter[tuple[int, str]] = Counter()
    ways: Ways = {}
    told = asked_for(context)
    for statement, node in nodes:
        place = place_of(context, statement, node)
        for number, template in enumerate(CATALOGUE):
            changes = list(template.find(context, node))
            if changes:
                tried[number, place] += 1
            for change in changes:
                edits = within(question.text, tuple(sorted(change.edits)), question.end)
                if _inside(edits, question):
                    share = change.weight / len(changes) * told_factor(template.name, told)
                    ways.setdefault(edits, []).append((number, place, share))
    return ways, tried


def new_words(fix: Mined, target: Function, scope: dict[str, Any]) -> set[str]:
    """Return the words that a fix puts in and that stand nowhere a template looks: it cannot be proposed.

    Templates look into the file, the tests, Python and the modules that the file imports, and have words of their own.
    """
    more = _words(fix.fixed)
    more.subtract(_words(normalised(target)))
    known = {*OWN_WORDS, *WORD.findall(fix.before), *WORD.findall(" ".join(fix.literals)), *fix.expected}
    found = {word for word, count in more.items() if count > 0 and not word.isdigit() and word not in known}
    if found:
        found -= {name for value in scope.values() if isinstance(value, types.ModuleType) for name in dir(value)}
    return found


OWN_WORDS = {
    *(word for file in Path(templates.__file__).parent.glob("*.py") for word in WORD.findall(file.read_text("utf-8"))),
    *dir(builtins),
    *keyword.kwlist,
    *(name for kind in (str, bytes, list, dict, set, tuple, int, float, frozenset, Exception) for name in dir(kind)),
}  # fmt: skip


def near_change(target: Function, fixed: str) -> set[ast.stmt]:
    """Return the statements that a fix changes, those before and after them, and those around these."""
    lines = normalised(target).splitlines()
    codes = difflib.SequenceMatcher(None, lines, fixed.splitlines(), autojunk=False).get_opcodes()
    changed = {line for tag, start, end, _, _ in codes if tag != "equal" for line in range(start - 1, end + 1)}
    found: set[ast.stmt] = set()
    place = 0

    def visit(body: list[ast.stmt], around: tuple[ast.stmt, ...]) -> None:
        nonlocal place
        for statement in body:
            place += 1
            below = [*around, statement]
            if place in changed:
                found.update(below)
            for name in ("body", "handlers", "orelse", "finalbody"):
                inner = getattr(statement, name, None)
                if not inner or not isinstance(inner, list):
                    continue
                is_elif = (
                    name == "orelse"
                    and len(inner) == 1
                    and isinstance(inner[0], ast.If)
                    and isinstance(statement, ast.If)
                )
                place += name in ("orelse", "finalbody") and not is_elif
                visit(inner, tuple(below))

    first = (
        target.body[1:] if len(target.body) > 1 and ast.get_docstring(target, clean=False) is not None else target.body
    )
    visit(first, ())
    found.update(first[:1])
    return found


def _inside(edits: tuple[Edit, ...], question: Question) -> bool:
    return bool(edits) and edits[0][0] >= question.start and edits[-1][1] <= question.end


def _judged(
    fix: Mined, context: RepairContext, question: Question, ways: Ways, tried: Counter[tuple[int, str]]
) -> Proposed:
    """Return the edits with their factors; words and tokens are read of as many as a search reads."""
    right = set(right_ones(fix, question, list(ways)))
    natural = Naturalness(context, question)
    factors = {edits: natural.variables_factor(edits) for edits in ways}

    def written(edits: tuple[Edit, ...]) -> float:
        return factors[edits] * max(CATALOGUE[number].prior * share for number, _, share in ways[edits])

    offers, numbers = [], []
    for rank, edits in enumerate(sorted(ways, key=lambda edits: (-written(edits), edits))):
        tokens, wording = MIN_TOKENS_FACTOR, 1.0
        if edits in right:
            numbers.append(rank)
        if rank < MAX_READ:
            tokens = natural.tokens_factor(edits)
            wording = natural.wording_factor(edits)
        offers.append(Offer(ways[edits], factors[edits] * wording, tokens))
    return Proposed(fix.repo, fix.part, offers, numbers, tried)


def is_in_reach(fix: Mined) -> bool:
    """True if all words that a fix puts in stand where templates look."""
    tree = ast.parse(fix.before)
    return not new_words(fix, dict(functions_of(tree))[fix.qualname], scope_of(tree))


def right_ones(fix: Mined, question: Question, edits: list[tuple[Edit, ...]]) -> Iterator[tuple[Edit, ...]]:
    """Yield the edits that make the function's tree after the fix."""
    old = question.text[question.start : question.end]
    indent = " " * (question.start - question.text.rfind("\n", 0, question.start) - 1)
    parsed = _tree(indent + old)
    if parsed is None:
        return
    more, fixed = _words(fix.fixed), ast.dump(ast.parse(fix.fixed))
    more.subtract(_words(normalised(parsed)))
    wanted = {word: count for word, count in more.items() if count}
    longer = sum(wanted.values())
    for one in edits:
        if sum(_length(text) - _length(question.text[start:end]) for start, end, text in one) != longer:
            continue
        words: Counter[str] = Counter()
        for start, end, text in one:
            words.update(_words(text))
            words.subtract(_words(question.text[start:end]))
        if {word: count for word, count in words.items() if count} != wanted:
            continue
        tree = _tree(indent + applied(old, one, question.start))
        if tree is not None and ast.dump(ast.parse(normalised(tree))) == fixed:
            yield one


@lru_cache(maxsize=65536)
def _counted(text: str) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(WORD.findall(text)).items())


@lru_cache(maxsize=65536)
def _length(text: str) -> int:
    return sum(count for _, count in _counted(text))


def _words(text: str) -> Counter[str]:
    return Counter(dict(_counted(text)))


def _tree(text: str) -> Function | None:
    try:
        node = ast.parse(textwrap.dedent(text)).body[0]
    except (SyntaxError, IndexError, ValueError):
        return None
    return node if isinstance(node, FUNCTIONS) else None
