"""Guest program that makes calls of a function, each in a process that may hang, die or leak, and reports the outcomes.

Every call is made twice, the second time in another process and in reverse order, which reveals functions with changing
results. A function that depends on earlier calls may still give the same result twice, as if it counts its calls and
one is in the middle; calls made `alone` have nothing before them.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import os
import sys
from types import CoroutineType
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from certo_builtin.differential.value_view import View, cut
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.fuel import Meter, OutOfFuel
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.inputs.annotations import MODULES
from certo_builtin.source import Source
from certo_worker.suite.module_import import import_file

STEPS = 100000
SECONDS = 3.0
"""Time limit of one call by the clock, for code without counted steps."""

MAX_YIELDED = 1000
"""Maximum number of values taken from an iterator."""

_NOTHING: Dict[str, Any] = {"state": "", "is_opaque": False}
ENDLESS: Dict[str, Any] = {"kind": "endless", "value": "", "printed": "", "after": "", **_NOTHING}


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Make the calls and report both outcomes of each by its number."""
    allowance = Allowance(request["seconds"])
    module = import_file(os.path.join(request["root"], request["path"]), request["root"])
    calls: List[Dict[str, Any]] = request["calls"]
    trial = Trial(runner_for(request, allowance), names_for(vars(module)), STEPS, SECONDS)
    forth, back = range(len(calls)), range(len(calls) - 1, -1, -1)

    def made(order: Sequence[int]) -> Iterator[Tuple[int, Optional[Any]]]:
        return each(
            lambda number: trial.outcome(calls[number]), order, SECONDS + 1.0, allowance, alone=request["alone"]
        )

    try:
        first = dict(made(forth))
        for number, second in made(back):
            tell({"kind": "outcome", "call": number, "first": first[number] or ENDLESS, "second": second or ENDLESS})
    except Spent:
        return


def runner_for(request: Dict[str, Any], allowance: Allowance) -> Optional[CandidateRunner]:
    """Return the runner that counts the target's steps; None if the function cannot be given other code."""
    source = Source(request["text"])
    target = source.function_at(request["line"], request["name"])
    hot_swap = HotSwap(source, request["path"], target) if target is not None else None
    if hot_swap is None or not hot_swap.live:
        return None
    runner = CandidateRunner(hot_swap, [], Meter(), allowance)
    try:
        hot_swap.try_on(())
    except (SyntaxError, ValueError):
        return None
    return runner


class Trial:
    """Makes calls with the names of one module, each limited in steps and seconds."""

    def __init__(self, runner: Optional[CandidateRunner], names: Dict[str, Any], steps: int, seconds: float) -> None:
        self._bench = runner
        self._names = names
        self._steps = steps
        self._seconds = seconds

    def outcome(self, call: Dict[str, Any]) -> Dict[str, Any]:
        """Return the outcome of one call."""
        came: List[Dict[str, Any]] = []

        def make() -> None:
            came.append(self._made(call))

        if self._bench is None:
            make()
        elif self._bench.run_limited(make, self._steps, self._seconds) != PASSED:
            return ENDLESS
        return came[0] if came else ENDLESS

    def _made(self, call: Dict[str, Any]) -> Dict[str, Any]:
        names = dict(self._names)
        printed = io.StringIO()
        function, arguments, named = parts_of(call, names)
        given = (arguments, named)
        before = View(given).state
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            ended = called(function, arguments, named)
        return {
            **ended,
            "printed": cut(printed.getvalue()),
            "after": "" if View(given).state == before else left(given),
        }


def left(given: Tuple[List[Any], Dict[str, Any]]) -> str:
    """Return the arguments as a call left them."""
    arguments, named = given
    by_name = ("{}={}".format(name, View(one).state) for name, one in named.items())
    return ", ".join([*(View(one).state for one in arguments), *by_name])


def names_for(own: Dict[str, Any]) -> Dict[str, Any]:
    """Return the names in which calls are written: the module's own, and those of loaded modules."""
    for name in MODULES:
        __import__(name)
    return {**{name: module for name, module in list(sys.modules.items()) if "." not in name}, **own}


def parts_of(call: Dict[str, Any], names: Dict[str, Any]) -> Tuple[Callable[..., Any], List[Any], Dict[str, Any]]:
    """Return the function and the arguments, created for this call alone; a receiver is the first of them."""
    arguments = [eval(text, names) for text in call["arguments"]]
    named = {name: eval(text, names) for name, text in call["named"].items()}
    if call["receiver"] is None:
        return eval(call["callee"], names), arguments, named
    receiver = eval(call["receiver"], names)
    attribute = call["callee"]
    if call["is_property"]:
        return (lambda one: getattr(one, attribute)), [receiver], {}
    return (lambda one, *more, **by_name: getattr(one, attribute)(*more, **by_name)), [receiver, *arguments], named


def called(function: Callable[..., Any], arguments: List[Any], named: Dict[str, Any]) -> Dict[str, Any]:
    """Return the ending of a call, with its value or exception."""
    try:
        value = function(*arguments, **named)
        kind = type(value)
        # An object of the project may lie about its class, or raise.
        if issubclass(kind, CoroutineType):
            value = asyncio.run(value)
        elif hasattr(kind, "__next__") and iter(value) is value:
            return _ended("yields", list(itertools.islice(value, MAX_YIELDED)))
        return _ended("returns", value)
    except OutOfFuel:
        raise
    except BaseException as error:  # whatever a candidate raises, exits included, is what comes of the call
        said = cut("{}\n{}".format(type(error).__name__, _said(error)))
        state = "exits with {}".format(_exit_status(error)) if isinstance(error, SystemExit) else ""
        return {"kind": "raises", "value": said, "state": state, "is_opaque": False}


def _exit_status(error: SystemExit) -> int:
    """Return the status with which Python would exit."""
    code = error.code
    if code is None:
        return 0
    return int(code) & 0xFF if isinstance(code, int) else 1


def _ended(kind: str, value: Any) -> Dict[str, Any]:
    view = View(value)
    state = "" if view.state == view.text else view.state
    return {"kind": kind, "value": view.text, "state": state, "is_opaque": view.is_opaque}


def _said(error: BaseException) -> str:
    try:
        return str(error).split("\n", 1)[0]
    except Exception:  # the project's own code
        return ""
