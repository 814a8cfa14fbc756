"""Comparison of versions of a function: observe, generate, run, compare, minimise.

Version 0 is the text on disk; others are edits of it, or one other tree. Reported are the differences of each from
version 0, the smallest first, and finally what was compared and what was not. With `calls`, only these are made, and
the calls of `live` tests, which confirms in another process what was found in one.
"""

from __future__ import annotations

import gc
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from certo_builtin.differential.call_rounds import CallRounds, words_at
from certo_builtin.differential.call_sizes import CallSizes
from certo_builtin.differential.calls import call_of, distinct, has_flag, source_of
from certo_builtin.differential.generated_calls import Generator
from certo_builtin.differential.minimisation import Found, Minimiser
from certo_builtin.differential.observed_calls import observed
from certo_builtin.differential.outcome_difference import (
    ACCIDENT,
    SLIGHT,
    UNUSUAL,
    USUAL,
    VALUE,
    gone,
    is_accident,
    is_address_alone,
    is_compared,
    is_flag_alone,
    is_unanswered,
    whole_difference,
    why_not_steady,
)
from certo_builtin.differential.typical_calls import TypicalCalls
from certo_builtin.differential.version_process import VersionProcess, kept_alone, other_tree
from certo_builtin.differential.versions import (
    MORE_STEPS,
    Call,
    Loaded,
    LocalVersion,
    Outcome,
    Place,
    Unrunnable,
)
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.suite import with_checks
from certo_builtin.inputs.variants import Words
from certo_builtin.source import Source

QUIET = 400
"""Number of calls without a new branch after which no more are made, if boundaries were tried; else twice as many."""

MAX_ENDLESS = 60
"""Number of calls that do not come back after which no more are made, if none did."""

MAX_REPEATED = 4
"""Number of calls of one version that are made again because only version 0 answered."""

MAX_TOLD = 12
"""Maximum number of differences reported of one version."""

Tell = Callable[[Dict[str, Any]], None]

Compared = Tuple[Call, str, Outcome]
"""A steady call, its text, and its outcome in version 0."""

Judge = Callable[[Loaded, Dict[str, Any], Sequence[Compared]], Tuple[int, int]]
"""Returns how many small changes of version 0 the calls notice, and how many were tried."""


def main(request: Dict[str, Any], tell: Tell, judge: Judge) -> None:
    """Compare, and report differences and the summary, with the judgement of the calls if no difference was found."""
    allowance = Allowance(request["seconds"])
    other: Optional[VersionProcess] = None
    if request["tree"] is not None:
        other = VersionProcess(partial(other_tree, request, request["tree"], request["seconds"]), allowance)

    def compare(checks: Sequence[Check]) -> None:
        try:
            _Comparison(request, other, allowance, tell, judge).run(checks)
        except Unrunnable as trouble:
            tell({"kind": "trouble", "text": str(trouble)})

    with_checks(request, compare)


class _Comparison:
    """One comparison of versions with version 0."""

    def __init__(
        self,
        request: Dict[str, Any],
        other: Optional[VersionProcess],
        allowance: Allowance,
        tell: Tell,
        judge: Judge,
    ) -> None:
        self._request = request
        self._judge = judge
        self._tell = tell
        self._allowance = allowance
        place = Place(*(request[name] for name in ("root", "path", "text", "line", "name")))
        self._loaded = Loaded(place, allowance)
        self._own = LocalVersion(self._loaded)
        self._local = [LocalVersion(self._loaded, [tuple(edit) for edit in edits]) for edits in request["versions"]]
        self._tree = other
        # No version is made a call of in this process.
        self._base: VersionProcess
        self._others: List[VersionProcess] = []
        number = len(self._local) + (other is not None)
        self._found: List[List[Found]] = [[] for _ in range(number)]
        self._typical = TypicalCalls([])
        self._counts: Dict[str, int] = {}
        self._compared = [0] * number
        self._repeated = [0] * number
        self._unanswered = [0] * number
        self._unconfirmed = [0] * number
        self._raised: Dict[str, int] = {}
        self._executed: List[Set[int]] = [set() for _ in range(1 + number)]
        self._asked: Dict[str, Any] = {}
        self._unwritten: List[str] = []
        self._steady: List[Compared] = []
        self._sensitivity = (0, 0)

    def run(self, checks: Sequence[Check]) -> None:
        """Compare until the limits of the request are reached, and report."""
        generator = None
        spent = False
        # Frozen objects are not touched by the collector, so their pages stay shared with the forked children.
        gc.disable()
        gc.freeze()
        self._start_processes()
        try:
            if self._request["calls"] is not None:
                self._confirm(checks)
            else:
                known = self._observe(checks)
                generator = self._generator(known)
                self._generate(generator, known)
                self._minimise(generator)
        except Spent:
            spent = True
        if self._request["mutants"] and not self._is_enough():
            self._sensitivity = self._judge(self._loaded, self._request, self._steady)
        self._report(generator, spent)
        for version in [self._base, *self._others]:
            version.end()

    def _start_processes(self) -> None:
        """Start the process of each version, before anything is known of any of them."""
        versions = [self._own, *self._local]
        started = [
            VersionProcess(partial(kept_alone, version, versions, self._request), self._allowance)
            for version in versions
        ]
        self._base = started[0]
        self._others = [*([] if self._tree is None else [self._tree]), *started[1:]]
        for version in [self._base, *self._others]:
            version.begin()

    def _minimise(self, generator: Generator) -> None:
        for number, found in enumerate(self._found):
            minimiser = Minimiser(self._base, self._others[number], self._domain)
            self._found[number] = minimiser.simplest(found, generator, every=self._request["exhaustive"])
            if any(one.is_strong for one in found) and not any(one.is_strong for one in self._found[number]):
                self._unconfirmed[number] += 1

    def _confirm(self, checks: Sequence[Check]) -> None:
        """Make the given calls, each in a process of its own, and those of the tests live."""
        if self._request["live"]:
            self._observe(checks)
        calls = list(distinct(self._request["calls"], self._asked))
        self._try(calls, "given", alone=True)

    def _observe(self, checks: Sequence[Check]) -> List[Call]:
        """Return the calls that tests make, and compare those that can be made only there."""
        # A version in another tree has no part in this process.
        live = [self._own, *self._local] if self._tree is None else []
        known: List[Call] = []
        for message in observed(self._loaded, checks, live, self._request):
            if message["kind"] == "call":
                call = self._call_of(message)
                known += [call] if call is not None else []
            elif message["kind"] == "live":
                self._take_live(message)
            else:
                self._unwritten = message["names"]
        self._typical = TypicalCalls(known)
        return known

    def _call_of(self, message: Dict[str, Any]) -> Optional[Call]:
        call = call_of(message, self._request["callee"])
        if call is not None:
            left_out = self._request["left_out"]
            call["named"] = {name: text for name, text in call["named"].items() if name not in left_out}
        return call

    def _take_live(self, message: Dict[str, Any]) -> None:
        base, *others = message["outcomes"]
        if base is None or message["again"] is None or whole_difference(base, message["again"]):
            self._count("unsteady")
            return
        call = {"text": message["text"], "where": message["where"]}
        for number, outcome in enumerate(others):
            self._take(number, call, base, [outcome], "live")
        self._count("live", is_source=True)

    def _generator(self, known: Sequence[Call]) -> Generator:
        callee = self._request["callee"]
        trees = [self._loaded.target]
        if self._request["old"] is not None:
            old = self._request["old"]
            function = Source(old["text"]).function_at(old["line"], old["name"])
            trees += [function] if function is not None else []
        trees += [version.loaded.hot_swap.tree(version.edits) for version in self._local]
        return Generator(self._loaded, callee, trees, known, self._request["left_out"], self._request["seed"])

    def _generate(self, generator: Generator, known: Sequence[Call]) -> None:
        """Make the observed calls, then generated ones until enough was seen."""
        rounds = CallRounds(generator, known, self._asked)
        self._try(list(distinct(known, self._asked)), "observed", rounds.sizes)
        quiet = 0
        while sum(self._counts.get("made " + one, 0) for one in ("observed", "generated")) < self._request["most"]:
            if self._is_enough() or quiet >= (QUIET if rounds.is_exhausted else 2 * QUIET):
                break
            calls = rounds.next(self._words_toward() if quiet else None)
            if not calls or self._is_endless():
                break
            telling = self._try(calls, "generated", rounds.sizes)
            rounds.learn(telling)
            quiet = 0 if telling else quiet + len(calls)

    def _words_toward(self) -> Optional[Words]:
        """Return the constants next to branches that no call has executed yet."""
        # Those of a version in another tree are not known here.
        first = len(self._others) - len(self._local)
        versions = [self._base, *self._others[first:]]
        executed = [self._executed[0], *self._executed[1 + first :]]
        hot_swap, trees = self._loaded.hot_swap, []
        for version, edits, seen in zip(versions, [(), *(one.edits for one in self._local)], executed):
            missed = {line - hot_swap.first for number, (line, _) in enumerate(version.lines) if number not in seen}
            trees.append((hot_swap.tree(edits), missed))
        return words_at(trees)

    def _is_endless(self) -> bool:
        """True if calls do not come back, however small they are."""
        return self._counts.get("endless", 0) >= MAX_ENDLESS and not any(self._compared)

    def _is_enough(self) -> bool:
        """True if each version has a usual difference that is strong."""
        return (
            bool(self._others)
            and not self._request["exhaustive"]
            and all(any(map(self._is_telling, found)) for found in self._found)
        )

    def _is_telling(self, one: Found) -> bool:
        """True for a usual difference that is strong; coming back where the reference does not is no such one."""
        reference = one.outcomes[1 if self._request["is_other_reference"] else 0]
        return one.is_strong and one.domain == USUAL and reference["kind"] != "endless"

    def _try(
        self, calls: Sequence[Call], source: str, sizes: Optional[CallSizes] = None, *, alone: bool = False
    ) -> List[Call]:
        """Make calls in all versions, learn their sizes; return those that executed a branch for the first time."""
        if not calls:
            return []
        base = self._base.outcomes(calls, alone=alone)
        again = base if alone else self._base.outcomes(calls, backwards=True)
        others = [version.outcomes(calls, alone=alone) for version in self._others]
        # Of a single version it is said that it shows no difference, so it has to give the same in a second process.
        repeated = others
        if len(others) == 1 and not alone:
            repeated = [self._others[0].outcomes(calls, backwards=True)]
        telling = []
        for place, call in enumerate(calls):
            first, second = base[place], again[place]
            if sizes is not None:
                sizes.learn_from(call, [first, *(outcomes[place] for outcomes in others)])
            self._count(source, is_source=True)
            reason = why_not_steady(first, second)
            if first is None or reason:
                self._count(reason)
                continue
            self._steady.append((call, source_of(call), first))
            self._tell_call(call, source, [first, *(outcomes[place] for outcomes in others)])
            is_new = self._execute(0, first)
            for number, outcomes in enumerate(others):
                is_new |= self._execute(number + 1, outcomes[place])
                self._take(number, call, first, [outcomes[place], repeated[number][place]], source)
            if first["kind"] == "raises":
                name = str(first["value"]).partition("\n")[0]
                self._raised[name] = self._raised.get(name, 0) + 1
            if is_new:
                telling.append(call)
        return telling

    def _tell_call(self, call: Call, source: str, outcomes: Sequence[Optional[Outcome]]) -> None:
        """Report a steady call with its outcome in each version, if that is wanted."""
        if self._request["tells_calls"]:
            self._tell({"kind": "call", "call": call, "text": source_of(call), "source": source, "outcomes": outcomes})

    def _execute(self, version: int, outcome: Optional[Outcome]) -> bool:
        """Take into account the branches of an outcome; True if one of them is new."""
        before = len(self._executed[version])
        self._executed[version].update((outcome or {}).get("branches", ()))
        return len(self._executed[version]) > before

    def _take(self, number: int, call: Call, one: Outcome, others: Sequence[Optional[Outcome]], source: str) -> None:
        """Take the outcome of a call in version 0, and those in another, into account."""
        if source != "live":
            others = [self._answered(number, call, one, other) for other in others]
        reason = next(filter(None, (is_compared(one, other) for other in others)), "")
        if reason:
            is_alone = any(is_unanswered(one, other) for other in others)
            self._unanswered[number] += is_alone
            self._count("unanswered" if is_alone else reason)
            return
        kind, other = next(
            ((kind, other) for other in others if other is not None for kind in [whole_difference(one, other)] if kind),
            ("", None),
        )
        if other is not None and is_address_alone(one, other):
            self._count("unsteady")
            return
        self._compared[number] += 1
        if other is not None:
            if kind == VALUE and has_flag(call) and is_flag_alone(one, other):
                kind = SLIGHT
            self._found[number].append(Found(call, (one, other), kind, self._domain(call, one, other), source))

    def _answered(self, number: int, call: Call, one: Outcome, other: Optional[Outcome]) -> Optional[Outcome]:
        """Return the outcome of a call in another version; if there is none, one alone with more steps."""
        if not is_unanswered(one, other) or self._repeated[number] >= MAX_REPEATED:
            return other
        self._repeated[number] += 1
        [again] = self._others[number].outcomes([call], alone=True, steps=MORE_STEPS)
        return gone(again)

    def _domain(self, call: Call, one: Outcome, other: Outcome) -> str:
        """Return where a call stands among those that callers make."""
        if is_accident(other if self._request["is_other_reference"] else one):
            return ACCIDENT
        return USUAL if "callee" not in call or self._typical.include(call) else UNUSUAL

    def _count(self, what: str, *, is_source: bool = False) -> None:
        name = "made " + what if is_source else what
        self._counts[name] = self._counts.get(name, 0) + 1

    def _report(self, generator: Optional[Generator], spent: bool) -> None:
        for number, found in enumerate(self._found):
            for one in sorted(found, key=lambda one: one.rank)[:MAX_TOLD]:
                self._tell(
                    {
                        "kind": "difference",
                        "version": number + 1,
                        "text": one.text,
                        "call": None if one.is_live else one.call,
                        "where": one.call.get("where", ""),
                        "outcomes": list(one.outcomes),
                        "class": one.kind,
                        "domain": one.domain,
                        "source": one.source,
                    }
                )
        self._tell(
            {
                "kind": "summary",
                "counts": self._counts,
                "compared": self._compared,
                "unanswered": self._unanswered,
                "unconfirmed": self._unconfirmed,
                "raised": self._raised,
                "branches": [
                    {"lines": version.lines, "executed": sorted(executed)}
                    for version, executed in zip([self._base, *self._others], self._executed)
                ],
                "unmade": generator.unmade if generator else [],
                "guessed": generator.guessed if generator else [],
                "unwritten": self._unwritten,
                "sensitivity": list(self._sensitivity),
                "is_spent": spent,
            }
        )
