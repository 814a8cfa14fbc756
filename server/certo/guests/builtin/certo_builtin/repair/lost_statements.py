"""Statements that passing checks ran before an edit and no longer run with it.

An edit that sends the checks past the rest of the function may make a failing one pass by chance: `len(n)` of a number
raises, so that only a handler is left to give results. Nobody would write that (Tan, Yoshida, Prasad, Roychoudhury,
"Anti-patterns in search-based program repair", 2016).
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Dict, Iterator, List, Sequence, Set

from certo_builtin.execution.allowance import Spent
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.runner import MAX_STEPLESS_SECONDS, PASSED, CandidateRunner
from certo_builtin.repair.fault_localization import FUEL, Trace, Watch
from certo_builtin.source import FUNCTIONS, Edit, Function

MAX_CHECKS = 6
"""Number of passing checks that run again with an edit: few of them mostly run what all of them do."""


class LostStatements:
    """The statements of a target that a few passing checks run, and what an edit does to them."""

    def __init__(self, runner: CandidateRunner, target: Function, trace: Trace) -> None:
        self._runner = runner
        passing = [index for index, ending in enumerate(trace.endings) if ending == PASSED]
        self._checks = _covering({index: trace.lines[index] for index in passing}) if passing else []
        ran = set().union(*(trace.lines[index] for index in self._checks)) if self._checks else set()
        self._statements = [lines for lines in _own_lines(target) if not ran.isdisjoint(lines)]

    def are_lost_by(self, edits: Sequence[Edit]) -> bool:
        """True if a statement beside an edit is no longer run with it."""
        if not self._checks:
            return False
        try:
            [(_, lines)] = each(lambda _: self._ran(edits), [0], MAX_STEPLESS_SECONDS * 8, self._runner.allowance)
        except Spent:
            # The search is over, but not the candidate's chance.
            return False
        return lines is not None and any(moved.isdisjoint(lines) for moved in self._moved(edits))

    def _ran(self, edits: Sequence[Edit]) -> List[int]:
        """Return the lines of the edited text that the checks run; for a child."""
        swap = self._runner.hot_swap
        swap.try_on(edits)
        watch = Watch(swap.codes, swap.first)
        for index in self._checks:
            watch.run(partial(self._runner.run_check, index, FUEL, MAX_STEPLESS_SECONDS))
        return sorted(watch.lines)

    def _moved(self, edits: Sequence[Edit]) -> Iterator[Set[int]]:
        """Yield the lines that each statement without an edit has in the edited text."""
        source = self._runner.hot_swap.source
        for lines in self._statements:
            start, end = source.starts[min(lines) - 1], source.starts[max(lines)]
            # An insertion before a statement begins where the statement's line does.
            if any(one < end and other > start for one, other, _ in edits):
                continue
            before = [(one, other, new) for one, other, new in edits if other <= start]
            by = sum(new.count("\n") - source.text[one:other].count("\n") for one, other, new in before)
            yield {line + by for line in lines}


def _covering(lines: Dict[int, Set[int]]) -> List[int]:
    """Return a few checks that together run as many lines as possible."""
    chosen: List[int] = []
    missing = set().union(*lines.values())
    while missing and len(chosen) < MAX_CHECKS:
        best = max(lines, key=lambda index: (len(lines[index] & missing), -index))
        chosen.append(best)
        missing -= lines[best]
    return chosen


def _own_lines(target: Function) -> Iterator[Set[int]]:
    """Yield the lines of each statement of a function, without those of the block below it."""
    for node in ast.walk(target):
        if isinstance(node, ast.stmt) and node is not target and not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            yield set(range(node.lineno, max(node.lineno, last) + 1))
