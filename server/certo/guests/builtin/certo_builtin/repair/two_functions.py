"""Repair of two functions together: one edit in each of them.

Each of them was searched alone before, and no edit of it made the failing checks pass. Edits that alone bring the
checks nearer to passing are paired first, each with the likeliest ones of the other function. If one alone shows
nothing, as where a single check asks for both at once, the likeliest edits of one are tried with the likeliest of the
other.

Offsets into the second function's file follow those of the document, with one between them; in the document itself they
are the document's.
"""

from __future__ import annotations

import gc
import heapq
from types import CodeType
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.progress import Reporter
from certo_builtin.question import Question, Second
from certo_builtin.repair.fault_localization import Suspicion, traced
from certo_builtin.repair.pairs import MAX_FIRST_EDITS, MAX_SECOND_EDITS, progressing
from certo_builtin.repair.ranking import Ranked, ranked
from certo_builtin.repair.repair import NOTHING_FAILS, Repair, context_of, fuel_for
from certo_builtin.source import Edit, Function, Source

MAX_SINGLES = 2000
"""Maximum number of edits of each function that are combined with those of the other."""


class BothFunctions(HotSwap):
    """The live functions made from the target, which is the first function, and those made from the second."""

    def __init__(self, source: Source, path: str, target: Function, second: HotSwap, begin: int, shift: int) -> None:
        """Take edits from `begin` on as those of the second function, whose offsets are less by `shift`."""
        super().__init__(source, path, target)
        self.second = second
        self._begin = begin
        self._shift = shift
        self._own: Dict[Tuple[Edit, ...], CodeType] = {}
        self._others: Dict[Tuple[Edit, ...], CodeType] = {}

    def parted(self, edits: Iterable[Edit]) -> Tuple[Tuple[Edit, ...], Tuple[Edit, ...]]:
        """Return the edits of the first function, and those of the second with the offsets of its own file."""
        every = tuple(edits)
        others = [(start - self._shift, end - self._shift, new) for start, end, new in every if start >= self._begin]
        return tuple(edit for edit in every if edit[0] < self._begin), tuple(others)

    def shape(self, edits: Iterable[Edit]) -> str:
        """Return the trees of both edited functions."""
        own, others = self.parted(edits)
        return "{}\n{}".format(super().shape(own), self.second.shape(others))

    def try_on(self, edits: Iterable[Edit]) -> None:
        """Put both edited functions in place; an edit is compiled once, as it is tried with many others."""
        own, others = self.parted(edits)
        if own not in self._own:
            self._own[own] = self.compiled(self.tree(own))
        if others not in self._others:
            self._others[others] = self.second.compiled(self.second.tree(others))
        self.put(self._own[own])
        self.second.put(self._others[others])

    @property
    def namespaces(self) -> List[Dict[str, Any]]:
        """The global names of both functions, those of each module once."""
        return list({id(one): one for one in (*super().namespaces, *self.second.namespaces)}.values())


class RepairOfBoth(Repair):
    """One search for two edits, one in each function."""

    def __init__(
        self,
        question: Question,
        second: Second,
        both: BothFunctions,
        others: Function,
        runner: CandidateRunner,
        reporter: Reporter,
    ) -> None:
        target = both.source.function_at(question.line, question.name)
        assert target is not None
        super().__init__(question, both.source, target, runner, reporter)
        self.both = both
        self.their_target = others
        self.theirs = question._replace(selected=None, examples=[], second=None, **second._asdict())
        self.shift = shift_of(question, second)
        self.their_suspicion = Suspicion([], [])

    def run(self) -> str:
        """Search until the end, or until there are as many plausible pairs as requested."""
        gc.disable()
        gc.freeze()
        trace = traced(self.runner)
        if all(ending == PASSED for ending in trace.endings):
            return NOTHING_FAILS
        alone = CandidateRunner(self.both.second, self.runner.checks, Meter(), self.runner.allowance)
        their_trace = traced(alone)
        self._order(trace)
        self.reporter.progress("trying edits of both on {}".format(self._tests_in_words()))
        failing = [index for index, ending in enumerate(trace.endings) if ending != PASSED]
        self.suspicion = Suspicion(trace.lines, trace.endings)
        self.their_suspicion = Suspicion(their_trace.lines, their_trace.endings)
        try:
            own = ranked(
                context_of(trace, self.source, self.target, self.both), self.suspicion, _few(self.question)
            ).all()[:MAX_SINGLES]
            context = context_of(their_trace, self.both.second.source, self.their_target, self.both.second)
            others = ranked(context, self.their_suspicion, _few(self.theirs)).all()[:MAX_SINGLES]
            moved = [
                one._replace(edits=tuple((start + self.shift, end + self.shift, new) for start, end, new in one.edits))
                for one in others
            ]
            self._try(self._pairs(own, moved, failing), fuel_for(trace))
        except Spent as spent:
            return self._ending("when {}".format(spent))
        return self._ending("")

    def _take(self, one: Ranked) -> None:
        """Report a plausible pair, without a look at what each of its edits does alone."""
        self._report(one)

    def _suspicion(self, one: Ranked) -> Optional[float]:
        own, others = self.both.parted(one.edits)
        told = [
            self.suspicion.seen(self.source.lines_at(own)),
            self.their_suspicion.seen(self.both.second.source.lines_at(others)),
        ]
        return max((each for each in told if each is not None), default=None)

    def _pairs(self, own: List[Ranked], others: List[Ranked], failing: Sequence[int]) -> Iterator[Ranked]:
        """Yield the pairs of an edit of each function to try, at most as many as are left."""
        functions = [(self.question, self.both), (self.theirs, self.both.second)]
        singles = sorted([*own, *others], key=lambda one: -one.probability)[:MAX_FIRST_EDITS]
        ours = {one.edits for one in own}
        seen: Set[Tuple[Edit, ...]] = set()
        near: List[Ranked] = []
        for piece in progressing(self.runner, functions, singles, failing):
            one = singles[piece]
            near += [
                self._pair(one, other) if one.edits in ours else self._pair(other, one)
                for other in (others if one.edits in ours else own)[:MAX_SECOND_EDITS]
            ]
        near.sort(key=lambda pair: (-pair.probability, pair.edits))
        left = self._left
        for pair in (*near, *(self._pair(*each) for each in likeliest(own, others, left))):
            if len(seen) < left and pair.edits not in seen:
                seen.add(pair.edits)
                yield pair

    def _pair(self, one: Ranked, other: Ranked) -> Ranked:
        words = "{} in {}, line {}, and {} in {}".format(
            one.template, self.question.name, one.line, other.template, self.theirs.name
        )
        return Ranked(one.probability * other.probability, words, other.line, tuple(sorted((*one.edits, *other.edits))))

    def _ending(self, when: str) -> str:
        names = "{} and {}".format(self.question.name, self.theirs.name)
        counted = "tried {:,} pairs of edits in {}".format(self.runner.tried, names)
        found = len(self.reported)
        said = "{} pass{} the tests here".format(found, "es" if found == 1 else "")
        return "{}, {}{}".format(counted, said if found else "none passes the failing tests", when and " " + when)


def _few(question: Question) -> Question:
    return question._replace(candidates=min(MAX_SINGLES, question.candidates))


def likeliest(own: Sequence[Ranked], others: Sequence[Ranked], most: int) -> Iterator[Tuple[Ranked, Ranked]]:
    """Yield the likeliest pairs of an edit of each of two lists, which are in order."""
    waiting = [(-own[0].probability * others[0].probability, 0, 0)] if own and others else []
    for _ in range(most):
        if not waiting:
            return
        _, one, other = heapq.heappop(waiting)
        yield own[one], others[other]
        following = [(one, other + 1), (one + 1, 0)] if other == 0 else [(one, other + 1)]
        for first, last in following:
            if first < len(own) and last < len(others):
                heapq.heappush(waiting, (-own[first].probability * others[last].probability, first, last))


def shift_of(question: Question, second: Second) -> int:
    """Return how much larger the offsets of the second function are than in its file."""
    return 0 if second.path == question.path else len(question.text) + 1


def repair_both(
    question: Question, second: Second, checks: Sequence[Check], reporter: Reporter, allowance: Allowance
) -> str:
    """Repair two functions together by these checks; return the sentence about the ending."""
    source = Source(question.text)
    their_source = source if second.path == question.path else Source(second.text)
    target = source.function_at(question.line, question.name)
    others = their_source.function_at(second.line, second.qualname.rpartition(".")[2])
    if target is None or others is None:
        return "{} and {} are not where they were".format(question.qualname, second.qualname)
    shift = shift_of(question, second)
    theirs = HotSwap(their_source, second.path, others)
    both = BothFunctions(source, question.path, target, theirs, second.start + shift, shift)
    for swap in (both, theirs):
        if not swap.live:
            return "no test imports {} into the process that runs it".format(swap.filename)
    runner = CandidateRunner(both, checks, Meter(), allowance)
    return RepairOfBoth(question, second, both, others, runner, reporter).run()
