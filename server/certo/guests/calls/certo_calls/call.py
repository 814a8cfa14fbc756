"""Call of one function in a module given as text, and report of its outcome."""

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
    """The program has called out and cannot go on before the call is answered."""


class Outside:
    """Calls to the outside in their order: those answered in earlier runs, and the first unanswered one.

    A running program cannot be answered, because its channel leads out only. So it is run again from the beginning with
    the answers so far, which are returned to it in the order of its calls.
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
"""Maximum number of printed characters that are reported."""


def prepare(preparation: Dict[str, Any]) -> None:
    """Do nothing: importing this module is all the preparation that all calls share."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Run the module and call the function; report `output` or `error` with printed text, or a call to the outside."""
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
    """Create the module of the tools, whose functions call out."""
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
    """Return the module's lines in the traceback of an error, outermost first."""
    path = "{}.py".format(module)
    if isinstance(error, SyntaxError) and error.filename == path:
        return [error.lineno or 1]
    return [frame.lineno or 1 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
