"""Guest program that runs a text as a Python program, then its tests, and reports the outcomes."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import functools
import inspect
import io
import itertools
import linecache
import sys
import traceback
import types
import unittest
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from certo_worker.observation.failure_text import Tell

NAME = "evaluated"
"""Name of the module; not `__main__`, so that code for scripts, such as `unittest.main()`, does not run."""

FILE = NAME + ".py"

MAX_PRINTED = 100_000
"""Maximum number of printed characters that are reported."""

_MAX_SHOWN = 200
_MAX_INNER = 3

Made = Callable[[], Callable[..., Any]]
"""Factory of a test, bound to a new object if it is a method."""

_SKIPS = ("SkipTest", "Skipped")
"""Exceptions of `unittest` and pytest for a skipped test."""

_FAILS = ("Failed",)
"""Exceptions of pytest besides AssertionError for a failed test."""


class _Printed(io.StringIO):
    """Records printed text up to the maximum, and passes it on, so that it is not lost if the process is killed."""

    def write(self, text: str) -> int:
        kept = text[: max(0, MAX_PRINTED - self.tell())]
        if kept and sys.__stdout__ is not None:
            sys.__stdout__.write(kept)
            sys.__stdout__.flush()
        super().write(kept)
        return len(text)


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Run the text, then its tests; report `output`, `error`, `test` and at last `stdout`."""
    code = request["code"]
    printed = _Printed()
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    try:
        body, last = _parts(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        tell({"kind": "error", "stage": "parse", **_told(error)})
        return
    module = types.ModuleType(NAME)
    module.__file__ = FILE
    sys.modules[NAME] = module
    with contextlib.redirect_stdout(printed):
        raised = _raised(lambda: exec(body, module.__dict__))
        if raised is None and last is not None:
            raised = _raised(functools.partial(_value, last, module.__dict__, tell))
        if raised is None:
            _run_tests(module, tell)
        else:
            tell({"kind": "error", "stage": "run", **_told(raised)})
    tell({"kind": "stdout", "text": printed.getvalue()})


def _parts(code: str) -> Tuple[types.CodeType, Optional[types.CodeType]]:
    """Return the program, and separately its final expression, if any, whose value is reported."""
    tree = ast.parse(code, FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    body = compile(tree, FILE, "exec", dont_inherit=True)
    if not isinstance(last, ast.Expr):
        return body, None
    return body, compile(ast.Expression(last.value), FILE, "eval", dont_inherit=True)


def _value(last: types.CodeType, names: Dict[str, Any], tell: Tell) -> None:
    """Report the value of the final expression, if there is one."""
    value = eval(last, names)
    if inspect.iscoroutine(value):
        value = asyncio.run(value)
    if value is not None:
        tell({"kind": "output", "text": repr(value)[:MAX_PRINTED]})


def _run_tests(module: types.ModuleType, tell: Tell) -> None:
    for name, test in _tests(module):
        tell({"kind": "running", "test": name})
        raised = _raised(test)
        kind = type(raised).__name__
        if kind in _SKIPS:
            tell({"kind": "skipped", "test": name})
            continue
        failed = isinstance(raised, AssertionError) or kind in _FAILS
        how = "passed" if raised is None else "failed" if failed else "error"
        tell({"kind": "test", "test": name, "how": how, **({} if raised is None else _told(raised))})


def _tests(module: types.ModuleType) -> Iterator[Tuple[str, Callable[[], Any]]]:
    """Yield the tests: functions named test…, methods of classes named Test…, and unittest cases."""
    for name, found in list(vars(module).items()):
        if getattr(found, "__module__", "") != NAME:
            continue
        if inspect.isfunction(found) and name.startswith("test"):
            yield from _variants(name, found, functools.partial(getattr, module, name))
        elif inspect.isclass(found) and issubclass(found, unittest.TestCase):
            for method in unittest.defaultTestLoader.getTestCaseNames(found):
                yield "{}.{}".format(name, method), _case(found, method)
        elif inspect.isclass(found) and name.startswith("Test"):
            for method in [each for each in vars(found) if each.startswith("test")]:
                made = functools.partial(_method, found, method)
                yield from _variants("{}.{}".format(name, method), getattr(found, method), made)


def _method(found: type, name: str) -> Any:
    return getattr(found(), name)


def _call(made: Made, arguments: Dict[str, Any]) -> Any:
    return made()(**arguments)


def _variants(name: str, marked: Any, made: Made) -> Iterator[Tuple[str, Callable[[], Any]]]:
    """Yield a test once per set of arguments of its `parametrize` marks, or once without any."""
    rows = []
    for mark in getattr(marked, "pytestmark", ()):
        if mark.name == "parametrize":
            names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
            rows.append([_named([each.strip() for each in names], values) for values in mark.args[1]])
    for number, chosen in enumerate(itertools.product(*rows)):
        arguments = {key: value for each in chosen for key, value in each.items()}
        shown = "{}[{}]".format(name, number) if rows else name
        yield shown, functools.partial(_call, made, arguments)


def _named(names: List[str], values: Any) -> Dict[str, Any]:
    """Return one set of arguments; `pytest.param` keeps its own in `values`."""
    given = getattr(values, "values", None)
    row = given if isinstance(given, tuple) else (values,) if len(names) == 1 else values
    return dict(zip(names, row))


def _case(found: Any, name: str) -> Callable[[], Any]:
    """Return a unittest case with setup and teardown, which raises its errors."""

    def run() -> None:
        found.setUpClass()
        try:
            found(name).debug()
        finally:
            found.tearDownClass()

    return run


def _raised(body: Callable[[], Any]) -> Optional[BaseException]:
    """Run a function or coroutine to the end; return the exception raised, unless it ends the program."""
    try:
        value = body()
        if inspect.iscoroutine(value):
            asyncio.run(value)
    except SystemExit as stop:
        return stop if stop.code not in (None, 0) else None
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        return error
    return None


def _told(error: BaseException) -> Dict[str, Any]:
    """Return the message of an exception: its type, its text, and the lines of the program in its traceback."""
    words = str(error)
    if isinstance(error, SyntaxError):
        words = error.msg or words
    elif isinstance(error, AssertionError) and not words:
        words = _compared(error)
    words += "".join("; {}".format(_in_short(each)) for each in _inner(error))
    return {"error": type(error).__name__, "words": words, "lines": _lines(error), "name": getattr(error, "name", None)}


def _inner(error: BaseException) -> List[BaseException]:
    """Return the exceptions that another consists of or was raised from, if its own text does not mention them."""
    grouped = getattr(error, "exceptions", ())
    inner = list(grouped) if isinstance(grouped, (list, tuple)) else []
    return [each for each in [*inner, error.__cause__] if isinstance(each, BaseException)][:_MAX_INNER]


def _in_short(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]


def _lines(error: BaseException) -> List[int]:
    """Return the program's lines in the traceback of an error, outermost first."""
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return [error.lineno or 1]
    return [frame.lineno or 1 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]


def _compared(error: AssertionError) -> str:
    """Return both sides of a failed plain comparison, evaluated again; "" for anything else."""
    frame = _innermost(error.__traceback__)
    if frame is None:
        return ""
    tree = ast.parse("".join(linecache.getlines(FILE)))
    found = (each for each in ast.walk(tree) if isinstance(each, ast.Assert) and each.lineno == frame.tb_lineno)
    test = next((each.test for each in found), None)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return ""
    names = frame.tb_frame
    sides = []
    for side in (test.left, test.comparators[0]):
        try:
            value = eval(compile(ast.Expression(side), FILE, "eval"), names.f_globals, names.f_locals)
            sides.append(repr(value)[:_MAX_SHOWN])
        except Exception:
            return ""
    return "the left side is {} and the right side is {}".format(*sides)


def _innermost(trace: Optional[TracebackType]) -> Optional[TracebackType]:
    """Return the innermost traceback entry in the program."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            found = trace
        trace = trace.tb_next
    return found
