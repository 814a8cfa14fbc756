"""Judges whether a program is a loop around a language model, which goes on until the model has what was asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from certo.edits.evaluation import dotted_name
from certo.edits.source import parse
from certo.verification.static import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict

_MODEL = re.compile(r"(llm|gpt|openai|claude|anthropic|gemini|ollama)\d*[a-z]?")
"""A word in the name of a function that asks a language model."""

_NONE = Finding(
    message="there is no loop around a language model; call one with output_schema=, which goes on until its answer "
    "fits, or call one in a while loop with a break"
)


class IsLoop:
    """Passes a program with one of two patterns: a call of a model with `output_schema=`, or one in a while loop.

    The while loop must have a way out, a `break` of its own or a `return`. `models` are the names, matched whole, of
    the functions that ask a model; when there are none, a name with a word such as "llm" or "gpt" in it is one.
    """

    def __init__(self, models: Collection[str] = ()) -> None:
        self._models = models

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "is-loop"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:  # noqa: ARG002 - the contract's
        """Read the candidate's text."""
        return await read_verdict(self.name, candidate, lambda: objections(candidate.text, self._models))


def objections(source: str, models: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return what keeps a source from being a loop around a language model.

    Raises:
        SyntaxError: the source is no Python.
    """
    endless = None
    for node in ast.walk(parse(source)):
        if (
            isinstance(node, ast.Call)
            and _asks(node, models)
            and any(each.arg == "output_schema" for each in node.keywords)
        ):
            return ()
        if isinstance(node, ast.While) and any(_asks(each, models) for each in _inside(node)):
            if any(_leaves(node.body)):
                return ()
            endless = node.lineno
    if endless is not None:
        return (Finding(message="the loop around the language model has no way out; add a break", line=endless),)
    return (_NONE,)


def template(name: str, parameters: tuple[str, ...], returns: str, model: str) -> str:
    """Return the program of the first pattern: a function that has the model loop, for which no model need write it."""
    given = ", ".join(f"{each}={each}" for each in parameters)
    return (
        f"async def {name}({', '.join(parameters)}) -> {returns}:\n"
        f"    return await {model}({given}{', ' if given else ''}output_schema={returns})\n"
    )


def _asks(node: ast.AST, models: Collection[str]) -> bool:
    """Whether a node is a call of a language model."""
    if not isinstance(node, ast.Call):
        return False
    name = dotted_name(node.func)
    if models:
        return name in models
    return any(_MODEL.fullmatch(word) for word in re.split(r"[._]", name.lower()))


def _inside(loop: ast.While) -> Iterator[ast.AST]:
    """Yield what a loop does in its rounds; what it only defines is done elsewhere."""
    waiting: list[ast.AST] = [loop.test, *loop.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _leaves(statements: list[ast.stmt], *, inner: bool = False) -> Iterator[ast.stmt]:
    """Yield the statements that leave the loop whose body this is; a break in an inner loop leaves only that."""
    for each in statements:
        if isinstance(each, ast.Return) or (isinstance(each, ast.Break) and not inner):
            yield each
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        deeper = inner or isinstance(each, ast.While | ast.For | ast.AsyncFor)
        yield from _leaves([*_bodies(each)], inner=deeper)


def _bodies(statement: ast.stmt) -> Iterator[ast.stmt]:
    for node in ast.iter_child_nodes(statement):
        if isinstance(node, ast.stmt):
            yield node
        elif isinstance(node, ast.ExceptHandler | ast.match_case):
            yield from node.body
