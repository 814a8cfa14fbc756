"""Judges whether a text is one function of a given face, and nothing besides."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from certo.edits.definitions import Function
from certo.edits.source import parse
from certo.verification.static import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What a function has to look like from outside.

    `parameters` are the names in their order, `*rest` and `**more` with their stars; `returns` is the source of the
    return annotation. None asks for nothing.
    """

    name: str
    parameters: tuple[str, ...] | None = None
    returns: str | None = None


class IsFunction:
    """Passes a text that is one function of the wanted face; imports and a docstring may stand before it.

    When no face is given, that of the problem's target is wanted. Async or not makes no difference.
    """

    def __init__(self, face: Face | None = None) -> None:
        self._face = face

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "is-function"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Read the candidate's text."""
        face = self._face or face_of(f"{problem.target.signature.rstrip(':')}: ...")
        return await read_verdict(self.name, candidate, lambda: objections(candidate.text, face))


def face_of(source: str) -> Face:
    """Return the face of the only function in a source.

    Raises:
        SyntaxError: the source is no Python.
        ValueError: there is no function in it, or more than one.
    """
    (node,) = (each for each in parse(source).body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return Face(name=node.name, parameters=_parameters(node), returns=_returns(node))


def objections(source: str, face: Face) -> tuple[Finding, ...]:
    """Return what keeps a source from being one function of this face.

    Raises:
        SyntaxError: the source is no Python.
    """
    body = parse(source).body
    functions = [each for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    if not functions:
        return (Finding(message=f"there is no function; write one function {face.name}"),)
    beside = [
        Finding(message=f"there is more than the function {face.name}; only imports may stand beside it", line=at)
        for at in _beside(body)
    ]
    more = [
        Finding(message=f"there is a second function, {each.name}; write one function {face.name}", line=each.lineno)
        for each in functions[1:]
    ]
    return (*_differences(functions[0], face), *more, *beside)


def _beside(body: Sequence[ast.stmt]) -> Iterator[int]:
    """Yield the lines of what is neither a function nor may stand beside one."""
    for number, statement in enumerate(body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Import() | ast.ImportFrom():
                continue
            case ast.Expr(value=ast.Constant(value=str())) if number == 0:
                continue
            case _:
                yield statement.lineno


def _differences(node: Function, face: Face) -> Iterator[Finding]:
    if node.name != face.name:
        yield Finding(message=f"the function is called {node.name}; call it {face.name}", line=node.lineno)
    has = _parameters(node)
    if face.parameters is not None and has != face.parameters:
        wanted, found = (f"({', '.join(each)})" for each in (face.parameters, has))
        yield Finding(message=f"the parameters are {found}; make them {wanted}, in this order", line=node.lineno)
    if face.returns is not None and _returns(node) != ast.unparse(ast.parse(face.returns, mode="eval")):
        has_not = "is missing" if node.returns is None else f"is {_returns(node)}"
        yield Finding(message=f"the return annotation {has_not}; make it {face.returns}", line=node.lineno)


def _parameters(node: Function) -> tuple[str, ...]:
    arguments = node.args
    return (
        *(each.arg for each in (*arguments.posonlyargs, *arguments.args)),
        *([f"*{arguments.vararg.arg}"] if arguments.vararg else []),
        *(each.arg for each in arguments.kwonlyargs),
        *([f"**{arguments.kwarg.arg}"] if arguments.kwarg else []),
    )


def _returns(node: Function) -> str | None:
    """The return annotation; one in quotes means the same as one without."""
    match node.returns:
        case None:
            return None
        case ast.Constant(value=str() as quoted):
            return quoted.strip()
        case annotation:
            return ast.unparse(annotation)
