"""Tools: functions of the caller's that generated code may call, in its sandbox or outside of it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar, cast, overload

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that generated code may call by its name.

    A tool that is not `outside` is copied into the sandbox, source and all: it may use the standard library, which it
    has to import itself, and has no network, no files and no keys there. One that is `outside` stays with the caller
    and may use all that; it is called by name, its arguments and its result cross as JSON, and it may be a coroutine
    function. While code is verified no tool outside is called: there it is `stand_in` that answers, a function of the
    same parameters that is copied, or without one an error that says so. `is_model` is for language models.
    """

    function: Callable[..., Any]
    outside: bool = False
    stand_in: Callable[..., Any] | None = None
    is_model: bool = False

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function here, as if it were no tool."""
        return self.function(*arguments, **named)

    @property
    def name(self) -> str:
        """The name generated code calls it by."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def head(self) -> str:
        """The signature and the documentation, which the author of code that calls the tool has to know.

        Of a default, `...` is shown, unless it is a number, a truth value or None: it may hold a key.
        """
        said = inspect.getdoc(self.function)
        documented = [textwrap.indent(f'"""{said}"""', "    ")] if said else []
        return "\n".join([f"def {self.name}{_shown_signature(self.function)}:", *documented])

    @property
    def source(self) -> str:
        """The text that stands for the tool in the sandbox.

        Raises:
            BadSetting: its source cannot be had, or it is no plain function.
        """
        if not self.outside:
            return _source(self.function, self.name)
        if self.stand_in is not None:
            return _renamed(_source(self.stand_in, self.name), self.name)
        words = f"{self.name} is outside and cannot be called while the code is verified; give the tool a stand_in"
        said = inspect.getdoc(self.function) or f"Call {self.name}."
        head = f"def {self.name}{_plain_signature(self.function, self.name)}:"
        return f"{head}\n    {said!r}\n    raise RuntimeError({words!r})\n"


@overload
def tool(function: Function, /) -> Tool: ...


@overload
def tool(*, outside: bool = False, stand_in: Callable[..., Any] | None = None) -> Callable[[Function], Tool]: ...


def tool(
    function: Callable[..., Any] | None = None, /, *, outside: bool = False, stand_in: Callable[..., Any] | None = None
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a function a tool; see `Tool` for what the choices mean."""
    if function is not None:
        return Tool(function)
    return lambda chosen: Tool(chosen, outside=outside, stand_in=stand_in)


def as_tool(given: Any) -> Tool:
    """Return a tool for what was given: a plain function is copied, and a language model stays outside."""
    if isinstance(given, Tool):
        return given
    return cast("Tool", given.as_tool()) if hasattr(given, "as_tool") else Tool(given)


def _source(function: Callable[..., Any], name: str) -> str:
    """Return the source of a function without the decorators that made it a tool."""
    if not inspect.isfunction(function) or inspect.iscoroutinefunction(function):
        raise BadSetting(f"the tool {name} is no plain function; write one with def, or make it @tool(outside=True)")
    try:
        text = textwrap.dedent(inspect.getsource(function))
        [node] = ast.parse(text).body
    except (OSError, SyntaxError, ValueError) as error:
        raise BadSetting(f"the source of the tool {name} cannot be read; write it with def in a file") from error
    if not isinstance(node, ast.FunctionDef):
        raise BadSetting(f"the tool {name} is no plain function; write one with def, or make it @tool(outside=True)")
    if function.__code__.co_freevars:
        free = ", ".join(function.__code__.co_freevars)
        raise BadSetting(f"the tool {name} uses {free} of the function around it, which cannot be copied; pass it in")
    node.decorator_list = []
    return ast.unparse(node) + "\n"


def _renamed(source: str, name: str) -> str:
    tree = ast.parse(source)
    function = tree.body[0]
    if isinstance(function, ast.FunctionDef):
        function.name = name
    return ast.unparse(tree) + "\n"


def _plain_signature(function: Callable[..., Any], name: str) -> str:
    """Return the parameters of a tool without their types, which mean nothing in the sandbox.

    Raises:
        BadSetting: they are not known, as of some built-in functions, or a default cannot be written down.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise BadSetting(f"the tool {name} does not say what it takes; write a function around it") from error
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    try:
        for parameter in plain:
            if parameter.default is not inspect.Parameter.empty:
                ast.literal_eval(repr(parameter.default))
    except (SyntaxError, ValueError) as error:
        raise BadSetting(f"the tool {name} has a default that is no plain value; use None or a text instead") from error
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def _shown_signature(function: Callable[..., Any]) -> str:
    """Return the signature with its types as they are written; `(...)` if it is not known."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    taken = [
        parameter.replace(annotation=_as_written(parameter.annotation), default=_shown_default(parameter.default))
        for parameter in signature.parameters.values()
    ]
    return str(signature.replace(parameters=taken, return_annotation=_as_written(signature.return_annotation)))


class _Text(str):
    """A text that a signature shows without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _as_written(annotation: Any) -> Any:
    return _Text(annotation) if isinstance(annotation, str) else annotation


def _shown_default(default: Any) -> Any:
    is_plain = default is inspect.Parameter.empty or default is None or isinstance(default, bool | int | float)
    return default if is_plain else _Text("...")
