"""Versions of a function in which the same calls are made: edits put into the live function.

Every call begins in the same world; see `world`. For versions that may deceive see `version_process`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import os
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.differential.call_runner import called, left, names_for, parts_of
from certo_builtin.differential.surroundings import Surroundings
from certo_builtin.differential.value_view import View, cut
from certo_builtin.differential.world import World
from certo_builtin.execution.allowance import Allowance
from certo_builtin.execution.branches import Branches
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import PASSED, STARVED, CandidateRunner
from certo_builtin.source import Edit, Source
from certo_worker.suite.module_import import import_file

STEPS = 20_000
MORE_STEPS = 100_000
"""Steps of a call; more are given where only one version does not come back."""

SECONDS = 1.0
MORE_SECONDS = 4.0
"""Time limits of one call by the clock, with so many steps: for code without counted ones."""

MAX_HANGING_CALLS = 4
"""Number of calls ended by the clock after which no more are made of a version."""

Outcome = Dict[str, Any]
Call = Dict[str, Any]

_TEXTS = ("value", "state", "printed", "after", "left")


def checked(told: Any) -> Outcome:
    """Return an outcome as a version's process told it; a malformed one is lost, for a version may write anything."""
    if not isinstance(told, dict):
        return {"kind": "lost"}
    kind = told.get("kind")
    if kind in ("lost", "unmade", "untaken"):
        return {"kind": kind}
    branches = told.get("branches")
    is_formed = (
        kind in ("returns", "yields", "raises", "endless")
        and all(isinstance(told.get(name), str) for name in _TEXTS)
        and type(told.get("is_opaque")) is bool
        and type(told.get("steps")) is int
        and isinstance(branches, list)
        and all(type(branch) is int for branch in branches)
    )
    if not is_formed:
        return {"kind": "lost"}
    more = {name: told[name] if isinstance(told.get(name), str) else "" for name in ("errors", "logged", "shares")}
    return {**{name: told[name] for name in ("kind", *_TEXTS, "is_opaque", "steps", "branches")}, **more}


class Place(NamedTuple):
    """A function in one text of a file: the line of its `def`, and its name."""

    root: str
    path: str
    text: str
    line: int
    name: str


class Unrunnable(Exception):
    """The function cannot be called here, and why."""


class Loaded:
    """The function as it is in this process, and everything needed to call versions of it."""

    def __init__(self, place: Place, allowance: Allowance) -> None:
        self.place = place
        try:
            module = import_file(os.path.join(place.root, place.path), place.root)
        except BaseException as error:  # the module's own error
            raise Unrunnable("{} cannot be imported: {}: {}".format(place.path, type(error).__name__, error)) from None
        source = Source(place.text)
        target = source.function_at(place.line, place.name)
        if target is None:
            raise Unrunnable("{} is not in the text".format(place.name))
        self.target = target
        self.module = module
        self.names = names_for(vars(module))
        self.hot_swap = HotSwap(source, place.path, target)
        self.runner = CandidateRunner(self.hot_swap, [], Meter(), allowance)
        self.allowance = allowance
        self.namespaces = self.hot_swap.namespaces or [vars(module)]
        self.world = World(self.namespaces)
        self.surroundings: Optional[Surroundings] = None

    def see_more(self) -> None:
        """Look from now on at what a call changes and tells beside its result as well; see `surroundings`."""
        self.surroundings = Surroundings(self.place.root, self.namespaces)
        self.world.leave(self.surroundings.known)
        self.world.watch(self.hot_swap.codes)

    def forget(self) -> None:
        """Drop the text from this process, where no version can be made any more."""
        self.place = self.place._replace(text="")
        self.target.body = []
        self.hot_swap.forget()


class LocalVersion:
    """A version in this process: edits of the loaded text, none for the text itself."""

    def __init__(self, loaded: Loaded, edits: Iterable[Edit] = ()) -> None:
        self.loaded = loaded
        self.branches = Branches()
        self._code: Any = None
        self.edits = tuple(edits)
        self.hung = 0
        if loaded.hot_swap.live:
            tree = loaded.hot_swap.tree(self.edits)
            self.branches.put(tree)
            self._code = loaded.hot_swap.compiled(ast.fix_missing_locations(tree))

    @property
    def lines(self) -> List[Tuple[int, str]]:
        """The lines, in the version's own text, and words of its branches."""
        first = self.loaded.hot_swap.first
        return [(branch.line + first, branch.words) for branch in self.branches.known]

    def forget(self) -> None:
        """Drop what this version consists of."""
        self._code, self.edits = None, ()
        self.branches.known.clear()

    def put_in_place(self) -> None:
        """Let calls in this process reach this version."""
        if self._code is not None:
            self.loaded.hot_swap.put(self._code)
            self.branches.activate()
            self.loaded.world.watch(self.loaded.hot_swap.codes)

    def outcomes(
        self, calls: Sequence[Call], *, backwards: bool = False, alone: bool = False, steps: int = STEPS
    ) -> List[Optional[Outcome]]:
        """Make the calls in a child, or each in one of its own; None for those that were not made."""
        found: List[Optional[Outcome]] = [None] * len(calls)
        if self.hung > MAX_HANGING_CALLS and not alone:
            return found
        placed: List[bool] = []

        def work(number: int) -> Any:
            if not placed:
                self.put_in_place()
                placed.append(True)
            return self.outcome(functools.partial(self._call, calls[number]), steps)

        order = range(len(calls) - 1, -1, -1) if backwards else range(len(calls))
        for number, came in each(work, order, 2 * _seconds(steps) + 1.0, self.loaded.allowance, alone=alone):
            found[number] = came if came is not None else {"kind": "lost"}
            self.hung += came is None
            if self.hung > MAX_HANGING_CALLS and not alone:
                break
        return found

    def outcome(self, call: Callable[[], Outcome], steps: int) -> Outcome:
        """Return what comes of a call with limited steps."""
        came: List[Outcome] = []
        around = self.loaded.surroundings
        self.loaded.world.reset()
        if around is not None:
            around.begin()
        self.branches.seen.clear()
        ending = self.loaded.runner.run_limited(lambda: came.append(call()), steps, _seconds(steps))
        used = self.loaded.runner.meter.used
        if ending != PASSED or not came:
            kind = "endless" if ending == STARVED else "lost"
            came = [{"kind": kind, "value": "", "printed": "", "after": "", "state": "", "is_opaque": False}]
        changes = self.loaded.world.changes()
        if around is not None:
            came[0]["logged"] = around.logged
            changes = sorted([*changes, *around.left()])
        left = cut("; ".join(changes))
        return {**came[0], "left": left, "steps": used, "branches": sorted(self.branches.seen)}

    def _call(self, call: Call) -> Outcome:
        try:
            function, arguments, named = parts_of(call, dict(self.loaded.names))
        except Exception as error:  # the project's constructors may refuse
            return {"kind": "unmade", "value": type(error).__name__}
        return made(function, arguments, named, self.loaded.surroundings)


def _seconds(steps: int) -> float:
    return MORE_SECONDS if steps > STEPS else SECONDS


def made(
    function: Callable[..., Any],
    arguments: List[Any],
    named: Dict[str, Any],
    around: Optional[Surroundings] = None,
) -> Outcome:
    """Return the outcome of a call of a function."""
    printed = io.StringIO()
    given = (arguments, named)
    before = View(given).state
    results: List[Any] = []

    def noted(*values: Any, **by_name: Any) -> Any:
        results.append(function(*values, **by_name))
        return results[0]

    more = {}
    with contextlib.redirect_stdout(printed):
        if around is None:
            with contextlib.redirect_stderr(io.StringIO()):
                ended = called(function, arguments, named)
        else:
            with around.noting() as errors:
                ended = called(noted, arguments, named)
            shares = around.shares(results[0], arguments, named) if ended["kind"] == "returns" else ""
            more = {"errors": cut(errors.getvalue()), "shares": shares}
    after = "" if View(given).state == before else left(given)
    return {**ended, "printed": cut(printed.getvalue()), "after": after, **more}
