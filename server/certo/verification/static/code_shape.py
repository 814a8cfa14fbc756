"""Verifier of code shape: a text is one function of a given interface, or a loop around a model."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from certo.analysis.evaluation_order import dotted_name
from certo.edits.definitions import Function
from certo.edits.source import parse
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """The interface that a function must have.

    `parameters` are the names in order, `*rest` and `**more` with their stars; `returns` is the source of the return
    annotation. None demands nothing.
    """

    name: str
    parameters: tuple[str, ...] | None = None
    returns: str | None = None


class IsFunction:
    """Passes a text that is one function of the required interface; imports and a docstring may precede it.

    Without a face, that of the problem's target is required. Async or not makes no difference.
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
        return await read_verdict(self.name, candidate, lambda: function_objections(candidate.text, face))


def face_of(source: str) -> Face:
    """Return the interface of the only function in a source.

    Raises:
        SyntaxError: The source is no Python.
        ValueError: It contains no function, or more than one.
    """
    (node,) = (each for each in parse(source).body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return Face(name=node.name, parameters=_parameters(node), returns=_returns(node))


def function_objections(source: str, face: Face) -> tuple[Finding, ...]:
    """Return the reasons why a source is not one function of this interface.

    Raises:
        SyntaxError: The source is no Python.
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
    """Yield the lines of statements that are no function and not allowed beside one."""
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
    """Return the return annotation; a quoted one means the same as one without quotes."""
    match node.returns:
        case None:
            return None
        case ast.Constant(value=str() as quoted):
            return quoted.strip()
        case annotation:
            return ast.unparse(annotation)


_MODEL = re.compile(r"(llm|gpt|openai|claude|anthropic|gemini|ollama)\d*[a-z]?")
"""Part of the name of a function that asks a language model."""

_NONE = Finding(
    message="there is no loop around a language model; call one with output_schema=, which goes on until its answer "
    "fits, or call one in a while loop with a break"
)


class IsLoop:
    """Passes a program with one of two patterns: a model call with `output_schema=`, or one in a while loop.

    The while loop must have an exit, a `break` of its own or a `return`. `models` are the exact names of functions that
    ask a model; if empty, any name with a part such as "llm" or "gpt" counts.
    """

    def __init__(self, models: Collection[str] = ()) -> None:
        self._models = models

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "is-loop"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:  # noqa: ARG002 - the contract's
        """Read the candidate's text."""
        return await read_verdict(self.name, candidate, lambda: loop_objections(candidate.text, self._models))


def loop_objections(source: str, models: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return the reasons why a source is not a loop around a language model.

    Raises:
        SyntaxError: The source is no Python.
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
    """Return the program of the first pattern: a function that lets the model loop, which need not be generated."""
    given = ", ".join(f"{each}={each}" for each in parameters)
    return (
        f"async def {name}({', '.join(parameters)}) -> {returns}:\n"
        f"    return await {model}({given}{', ' if given else ''}output_schema={returns})\n"
    )


def _asks(node: ast.AST, models: Collection[str]) -> bool:
    """True if a node is a call of a language model."""
    if not isinstance(node, ast.Call):
        return False
    name = dotted_name(node.func)
    if models:
        return name in models
    return any(_MODEL.fullmatch(word) for word in re.split(r"[._]", name.lower()))


def _inside(loop: ast.While) -> Iterator[ast.AST]:
    """Yield the nodes executed in a loop's rounds, without the bodies of functions it defines."""
    waiting: list[ast.AST] = [loop.test, *loop.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _leaves(statements: list[ast.stmt], *, inner: bool = False) -> Iterator[ast.stmt]:
    """Yield the statements that leave the loop with this body; a break in an inner loop leaves only that."""
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
