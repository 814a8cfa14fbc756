"""Calling one function of a module that is given as text, and telling what came of it."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import linecache
import sys
import traceback
import types
from typing import Any, Callable, Dict, List

Tell = Callable[[Dict[str, Any]], None]


class Left(BaseException):
    """The program has asked for something outside and can do nothing before it is answered."""


class Outside:
    """The calls of one run, in their order: those that were answered before, and the first that was not.

    A program cannot be answered while it runs, for it has a way out and none in. So it is run from its beginning with
    the answers it has so far, which are given back to it in the order of its calls.
    """

    def __init__(self, answers: List[Dict[str, Any]], tell: Tell) -> None:
        self._answers = answers
        self._tell = tell
        self._made = 0

    def tool(self, name: str, stand_in: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls the tool `name` outside; `stand_in` has its parameters."""
        signature = inspect.signature(stand_in)

        def call(*positional: Any, **named: Any) -> Any:
            bound = signature.bind(*positional, **named)
            bound.apply_defaults()
            return self._call(name, json.loads(json.dumps(bound.arguments)))

        call.__name__ = name
        call.__doc__ = stand_in.__doc__
        return call

    def _call(self, name: str, arguments: Dict[str, Any]) -> Any:
        if self._made >= len(self._answers):
            self._tell({"kind": "call", "tool": name, "arguments": arguments})
            raise Left
        answer = self._answers[self._made]
        if (answer["tool"], answer["arguments"]) != (name, arguments):
            self._tell({"kind": "strayed", "tool": name, "before": answer["tool"]})
            raise Left
        self._made += 1
        if answer["error"]:
            raise RuntimeError(answer["error"])
        return answer["value"]


_MAX_ITEMS = 200_000
"""How many characters of what a call printed are told."""


def prepare(preparation: Dict[str, Any]) -> None:
    """Be ready to be copied; what calls have in common is imported by now, and nothing of any code's is."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Run the module, call the function, and tell `output` or `error`, and what was printed; or a call to outside."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            _bring_in_tools(request, tell)
            module = _module(request["module"], request["code"])
            output = getattr(module, request["function"])(**request["inputs"])
        said = {"kind": "output", "output": json.loads(json.dumps(output, allow_nan=False))}
    except Left:
        return
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        said = {"kind": "error", "error": _words(error), "lines": _lines(error, request["module"])}
    said["stdout"] = printed.getvalue()[:_MAX_ITEMS]
    tell(said)


def _bring_in_tools(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Make the module of the tools, in which those that are outside call there."""
    tools = _module(request["tools_module"], request["tools"])
    outside = Outside(request["answers"], tell)
    for name in request["outside"]:
        setattr(tools, name, outside.tool(name, getattr(tools, name)))


def _module(name: str, source: str) -> types.ModuleType:
    """Return a module made from its text, whose lines tracebacks can show."""
    path = "{}.py".format(name)
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def _words(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)).strip()


def _lines(error: BaseException, module: str) -> List[int]:
    """Return the lines of the module that were on the way to an error, the outermost first."""
    path = "{}.py".format(module)
    if isinstance(error, SyntaxError) and error.filename == path:
        return [error.lineno or 1]
    return [frame.lineno or 1 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
