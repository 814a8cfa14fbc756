"""Judges a test file on mutants of a module, in a child of its own for each; reads JSON from standard input.

A mutant counts if it is killable: it gives something else than the original on one of the inputs. `noticed` counts
those of which a test fails that passes on the original; a test marked as strictly expected to fail is red if it passes.
A row of a table of arguments is a test of its own.
"""

from __future__ import annotations

import copy
import io
import json
import os
import signal
import sys
import types
from collections.abc import Callable
from typing import Any

MUTANT_SECONDS = 2


def loaded(source: str, name: str) -> types.ModuleType:
    """Return a module of a source under a name."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    return module


def answer(function: Callable[..., Any], arguments: list[Any]) -> str:
    """Return what a call gives, as text."""
    given = copy.deepcopy(arguments)
    try:
        return repr((function(*given), given))
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises is its answer
        return type(error).__name__


def red(source: str) -> list[str]:
    """Return the names of the tests in a source that fail."""
    namespace: dict[str, Any] = {"__name__": "test_written"}
    failed = []
    exec(compile(source, "test_written.py", "exec"), namespace)
    for name, function in list(namespace.items()):
        if not name.startswith("test") or not callable(function):
            continue
        marks = getattr(function, "pytestmark", [])
        is_inverted = any(mark.name == "xfail" for mark in marks)
        for number, arguments in enumerate(rows_of(marks)):
            try:
                function(**arguments)
                ended = False
            except BaseException:  # noqa: BLE001 - whatever a test raises makes it red
                ended = True
            if ended is not is_inverted:
                failed.append(f"{name}[{number}]")
    return failed


def rows_of(marks: list[Any]) -> list[dict[str, Any]]:
    """Return the arguments of each run of a test with these marks."""
    rows: list[dict[str, Any]] = [{}]
    for mark in marks:
        if mark.name == "parametrize":
            names, table = mark.args[:2]
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            sets = [getattr(row, "values", row if len(names) > 1 else (row,)) for row in table]
            rows = [{**row, **dict(zip(names, values, strict=True))} for row in rows for values in sets]
    return rows


def in_child(work: Callable[[], str]) -> str:
    """Return what work gives in a child; "endless" if it takes too long."""
    source, out = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(MUTANT_SECONDS)
        sys.stdout = io.StringIO()
        try:
            said = work()
        except BaseException as error:  # noqa: BLE001 - told to the parent
            said = f"broken: {error}"
        os.write(out, said.encode()[:60_000])
        os._exit(0)
    os.close(out)
    said = b""
    while chunk := os.read(source, 65536):
        said += chunk
    os.close(source)
    os.waitpid(pid, 0)
    return said.decode("utf-8", "replace") or "endless"


def is_noticing(said: str, before: str) -> bool:
    """True if tests fail beyond those of before: a child that tells no names did not get through them."""
    try:
        return not set(json.loads(said)) <= set(json.loads(before))
    except json.JSONDecodeError:
        return said != before


def judged(case: dict[str, Any]) -> dict[str, Any]:
    """Return how many killable mutants there are, and how many each test file notices."""
    import pytest  # noqa: F401 - so that no child imports it

    def answers(source: str) -> str:
        module = loaded(source, case["module"])
        function = getattr(module, case["name"])
        return json.dumps([answer(function, one) for one in case["inputs"]])

    def failing(source: str, tests: str) -> str:
        loaded(source, case["module"])
        return json.dumps(red(tests))

    right = in_child(lambda: answers(case["source"]))
    killable = [one for one in case["mutants"] if in_child(lambda one=one: answers(one)) != right]
    result: dict[str, Any] = {"killable": len(killable), "noticed": {}, "red": {}}
    for tool, tests in case["tests"].items():
        result["red"][tool] = in_child(lambda tests=tests: failing(case["source"], tests))
        said = [in_child(lambda one=one, tests=tests: failing(one, tests)) for one in killable]
        result["noticed"][tool] = sum(is_noticing(each, result["red"][tool]) for each in said)
    return result


if __name__ == "__main__":
    json.dump(judged(json.load(sys.stdin)), sys.stdout)
