"""Mutants: the small changes of a function that its tests should notice.

They are made by those repair templates whose reverse is a common slip, so a mutant resembles a real bug (Just et al.,
"Are mutants a valid substitute for real faults in software testing?", 2014). A line that only logs, warns or words a
message has none, and of mutants with equal bytecode only one is kept, which removes many that change nothing
(Papadakis et al., "Trivial compiler equivalence", 2015).
"""

from __future__ import annotations

import ast
import random
from types import CodeType
from typing import Any, Collection, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.repair.templates.template import Change
from certo_builtin.source import Edit, Function, Source, within

KINDS = frozenset({
    "a comparison's strictness", "another comparison", "another arithmetic operator", "another assignment operator",
    "and/or exchanged", "operands exchanged", "a sign dropped", "another constant", "off by one", "another slice",
    "another variable", "a sibling of a built-in or method", "a condition negated", "a clause dropped",
    "arguments exchanged", "an argument dropped", "an operation dropped", "another range",
    "another exception caught", "another exception raised", "another result", "results exchanged",
    "None or any false value", "a statement deleted", "a statement moved out of its block",
    "another kind of statement", "another direction or fallback",
})  # fmt: skip
"""Names of the templates that make mutants; each makes at most one at a place, its likeliest."""

LOGGING = frozenset({
    "debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print_exc", "print_exception",
})  # fmt: skip
LOGGERS = frozenset({"log", "logger", "logging", "warnings", "_log", "_logger", "LOG", "LOGGER", "traceback"})
"""Names of what logs and warns, and of its methods."""

UNTOUCHED = "pragma: no mutate"
"""Comment on a line of which the project wants no mutants, as other tools read it."""

SHOWING = frozenset({"__repr__", "__str__", "__format__"})
"""Functions whose result is for people."""


class Mutant(NamedTuple):
    """One small change: its edits, the template that made it, and its line in the document."""

    edits: Tuple[Edit, ...]
    template: str
    line: int


class _Made(NamedTuple):
    likelihood: float
    mutant: Mutant


def mutants(context: RepairContext, hot_swap: HotSwap, end: int, seed: int, first: Collection[int]) -> List[Mutant]:
    """Return the target's mutants, each line once and then again; changed lines, those in `first`, begin each round.

    `end` is the offset after the target. Equally likely mutants come in a random order given by `seed`.
    """
    dice = random.Random(seed)
    lines: Dict[int, List[_Made]] = {}
    for made in _made(context, end, dice):
        lines.setdefault(made.mutant.line, []).append(made)
    order = sorted(lines, key=lambda line: (line not in first, line))
    for found in lines.values():
        # Sorting keeps the random order of equals.
        dice.shuffle(found)
        found.sort(key=lambda made: -made.likelihood)
    rounds = max((len(found) for found in lines.values()), default=0)
    every = [lines[line][number].mutant for number in range(rounds) for line in order if number < len(lines[line])]
    return _distinct(every, hot_swap)


def _made(context: RepairContext, end: int, dice: random.Random) -> Iterator[_Made]:
    """Yield the likeliest change of each template at each place."""
    if context.target.name in SHOWING:
        return
    arid = set(_arid(context.target))
    untouched = _untouched(context.source)
    for statement, node in context.nodes():
        if node in arid or statement in arid:
            continue
        line = getattr(node, "lineno", None) or statement.lineno
        if line in untouched or statement.lineno in untouched:
            continue
        for template in CATALOGUE:
            if template.name not in KINDS or (template.name == "off by one" and _is_identity(context.parent(node))):
                continue
            change = _likeliest(template.find(context, node), dice)
            if change is not None:
                edits = within(context.source.text, tuple(sorted(change.edits)), end)
                yield _Made(template.prior, Mutant(edits, template.name, line))


def _is_identity(node: ast.AST) -> bool:
    """True if a node compares with `is`, where one more or less is no slip of anybody's."""
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot))


def _likeliest(changes: Iterator[Change], dice: random.Random) -> Optional[Change]:
    found = list(changes)
    if not found:
        return None
    most = max(change.weight for change in found)
    return dice.choice([change for change in found if change.weight == most])


def _arid(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes that only log, warn, word a message or serve type checkers."""
    for node in ast.walk(function):
        for inner in _arid_parts(node):
            yield from ast.walk(inner)


def _arid_parts(node: ast.AST) -> List[ast.AST]:
    """Return the parts of a node, or itself, that are arid with all that is in them."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return [*node.exc.args, *node.exc.keywords]
    if isinstance(node, ast.Assert) and node.msg is not None:
        return [node.msg]
    if isinstance(node, ast.If) and _last_name(node.test) == "TYPE_CHECKING":
        return [node]
    if isinstance(node, ast.Expr) and (_logs(node.value) or isinstance(node.value, ast.Constant)):
        return [node]
    return []


def _logs(call: ast.expr) -> bool:
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr in LOGGING and _last_name(call.func.value) in LOGGERS


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _untouched(source: Source) -> Set[int]:
    """Return the lines of which the project wants no mutants."""
    texts = [source.text[start:end] for start, end in zip(source.starts, source.starts[1:])]
    return {number for number, text in enumerate(texts, 1) if UNTOUCHED in text}


def _distinct(found: Sequence[Mutant], hot_swap: HotSwap) -> List[Mutant]:
    """Return the mutants that are valid code, of equal bytecode the first, and none equal to the original."""
    seen = {_bytecode(hot_swap.compiled(hot_swap.tree(())))}
    kept = []
    for mutant in found:
        try:
            code = _bytecode(hot_swap.compiled(hot_swap.tree(mutant.edits)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if code not in seen:
            seen.add(code)
            kept.append(mutant)
    return kept


def _bytecode(code: CodeType) -> Any:
    """Return a code object without its lines, as something that can be compared."""
    constants = tuple(
        _bytecode(one) if isinstance(one, CodeType) else (type(one).__name__, repr(one)) for one in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    # Since Python 3.11 handlers are in a table of their own.
    return code.co_code, constants, names, code.co_flags, getattr(code, "co_exceptiontable", b"")
