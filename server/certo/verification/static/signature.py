"""Verifier of the signature: the target's interface and the rest of the module are unchanged."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from certo.edits.definitions import Definition, Function
from certo.edits.offsets import SourceMap
from certo.edits.source import parse
from certo.edits.target import definition_of, examples
from certo.verification.static.one_by_one import of_each
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSource
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


class SignatureVerifier:
    """Passes a candidate that keeps the target's name, parameters, annotations and decorators, and the module."""

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "signature"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Compare the syntax trees of the document and the candidate."""
        return await read_verdict(self.name, candidate, lambda: of_each(candidate, problem, _objections))


def _objections(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
    parse(candidate.text)
    target = problem.target
    old = definition_of(problem.text, target)
    if old is None:
        raise ValueError(f"{target.qualname} is not in the problem's own text")
    new = definition_of(candidate.text, target)
    if new is None:
        return (Finding(message=f"{target.qualname} is gone; keep its name and its place", line=target.line),)
    changed = tuple(
        Finding(message=f"{what} of {target.qualname} changed from {was} to {now}; keep it", line=new.node.lineno)
        for (what, was), (_, now) in zip(_face(old.node), _face(new.node), strict=True)
        if was != now
    )
    return changed or _examples_lost(candidate, problem) or _around(_Sides(problem.text, candidate.text), old, new)


def _examples_lost(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
    """Object to a docstring with other examples than the problem's: they are part of the specification."""
    wanted = [(example.source, example.expected) for example in problem.examples]
    if not wanted:
        return ()
    try:
        kept = [(example.source, example.expected) for example in examples(problem.target, candidate.text)]
    except BadSource as error:
        return (Finding(message=str(error), line=problem.target.line),)
    if kept == wanted:
        return ()
    message = f"the examples in the docstring of {problem.target.qualname} changed; keep them as they are"
    return (Finding(message=message, line=problem.target.line),)


def _face(node: Function) -> Iterator[tuple[str, str]]:
    """Yield each visible part of a function's interface with its name; being a generator is not part of it."""
    yield "the kind", "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    yield "the list of decorators", f"[{', '.join(map(ast.unparse, node.decorator_list))}]"
    yield "the list of type parameters", f"[{', '.join(map(ast.unparse, getattr(node, 'type_params', ())))}]"
    yield "the list of parameters", f"({ast.unparse(node.args)})"
    yield "the return annotation", ast.unparse(node.returns) if node.returns else "none"


class _Sides:
    """The two texts, and comparison of their nodes."""

    def __init__(self, old: str, new: str) -> None:
        self._texts = old, new
        self._maps = SourceMap(old), SourceMap(new)

    def same(self, old: object, new: object) -> bool:
        """True if two parts of syntax trees are equal.

        Statements are compared by their source, which is many times faster than by their trees and as strict, because a
        statement's meaning follows from its text alone.
        """
        if isinstance(old, ast.stmt) and isinstance(new, ast.stmt):
            return type(old) is type(new) and self._source(0, old) == self._source(1, new)
        if isinstance(old, ast.AST) and isinstance(new, ast.AST):
            return ast.dump(old) == ast.dump(new)
        return old == new

    def _source(self, side: int, node: ast.stmt) -> str:
        span = self._maps[side].span(node)
        return self._texts[side][span.start : span.end]


def _around(sides: _Sides, old: Definition, new: Definition) -> tuple[Finding, ...]:
    """Compare everything on the way from the module down to the target, but not the target."""
    way = (*zip(old.ancestors, new.ancestors, strict=False), (old.node, new.node))
    for (above, above_new), below in pairwise(way):
        line = _first_difference(sides, above, above_new, below)
        if line is not None:
            message = f"the module changed outside {old.qualname}; change nothing but its body"
            return (Finding(message=message, line=line or None),)
    return ()


def _first_difference(sides: _Sides, old: ast.AST, new: ast.AST, way: tuple[ast.AST, ast.AST]) -> int | None:
    """Return the candidate's line where two nodes differ apart from the pair on the way down, 0 if it has none."""
    here = int(getattr(new, "lineno", 0))
    if type(old) is not type(new):
        return here
    for (_, was), (_, now) in zip(ast.iter_fields(old), ast.iter_fields(new), strict=True):
        olds, news = (was, now) if isinstance(was, list) and isinstance(now, list) else ([was], [now])
        for one, other in zip(olds, news, strict=False):
            if (one, other) != way and not sides.same(one, other):
                return int(getattr(other, "lineno", here))
        if len(olds) != len(news):
            extra = news[len(olds) :]
            return int(getattr(extra[0], "lineno", here)) if extra else here
    return None
