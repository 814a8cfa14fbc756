"""Guest program that chooses the calls of a function that are worth a test, and what to assert of them.

Observe, generate, run, and choose: calls that the tests make and generated ones are made of the function as it is, and
of its mutants. Of those whose outcome is steady the smallest set is chosen that notices the most mutants and executes
the most branches, beyond what the tests do already.
"""

from __future__ import annotations

import ast
import gc
import itertools
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set

from certo_builtin.differential.calls import call_of, distinct, places, source_of
from certo_builtin.differential.generated_calls import Generator
from certo_builtin.differential.observed_calls import observed
from certo_builtin.differential.outcome_difference import difference
from certo_builtin.differential.typical_calls import TypicalCalls
from certo_builtin.differential.versions import Call, Loaded, LocalVersion, Place, Unrunnable
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.suite import with_checks
from certo_builtin.regression.assertions import asserted, asserts_something, is_odd_none, undeclared
from certo_builtin.regression.cover import Chosen, cover
from certo_builtin.regression.kill_matrix import Candidate, kill_matrix
from certo_builtin.regression.names import imports_for, imports_of
from certo_builtin.regression.properties import Found, properties
from certo_builtin.regression.small_changes import small_changes, unnoticed_by
from certo_builtin.strength.mutants import Mutant

BATCH = 120
NEAR = 60
"""Numbers of generated calls in one round, and of those near calls that executed a new branch."""

QUIET = 240
"""Number of calls without a new branch after which no more are made."""

FEW = 40
"""Number of calls that are made of every mutant."""

PER_PATH = 3
"""Number of calls among these that execute the same branches."""

CHUNK = 80
"""Number of further calls made at a time of the mutants that no call has noticed."""

OTHER_WORLDS = 8
"""Number of further worlds in which a call has to have the same outcome to be worth a test."""

WANTED = "wanted"
"""Source of calls that get a test whatever they notice, because an older version of the function differs on them."""

MAX_SUSPICIOUS = 3
MAX_PROPERTIES = 2

Tell = Callable[[Dict[str, Any]], None]


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Choose the calls, and report them with a summary."""

    def choose(checks: Sequence[Check]) -> None:
        try:
            _Selection(request, tell).run(checks)
        except Unrunnable as trouble:
            tell({"kind": "trouble", "text": str(trouble)})

    with_checks(request, choose)


class _Selection:
    """One selection of calls of the function of a request."""

    def __init__(self, request: Dict[str, Any], tell: Tell) -> None:
        self._request = request
        self._tell = tell
        self._allowance = Allowance(request["seconds"])
        place = Place(*(request[name] for name in ("root", "path", "text", "line", "name")))
        self._loaded = Loaded(place, self._allowance)
        if not self._loaded.hot_swap.live:
            raise Unrunnable("{} is not what its module holds under that name".format(request["name"]))
        self._base = LocalVersion(self._loaded)
        self._asked: Dict[str, Any] = {}
        self._counts: Dict[str, int] = {}
        self._pool: List[Candidate] = []
        self._tested: Set[int] = set()
        self._typical = TypicalCalls([])
        self._unwritten: List[str] = []
        self._suspicious: List[Candidate] = []
        self._undeclared: Set[str] = set()
        self._versions: Dict[int, LocalVersion] = {}
        self._properties: List[Found] = []

    def run(self, checks: Sequence[Check]) -> None:
        """Choose calls until the limits of the request are reached, and report."""
        # Frozen objects are not touched by the collector, so their pages stay shared with the forked children.
        gc.disable()
        gc.freeze()
        generator: Optional[Generator] = None
        mutants: List[Mutant] = []
        noticed: Dict[int, Set[int]] = {}
        open_ones: Set[int] = set()
        few: List[Candidate] = []
        spent = False
        try:
            known = self._observe(checks)
            generator = Generator(
                self._loaded, self._request["callee"], [self._loaded.target], known, (), self._request["seed"]
            )
            self._generate(generator, known)
            usable = self._usable(generator)
            mutants = small_changes(self._loaded, self._request, [one.call for one in usable])
            open_ones = unnoticed_by(self._loaded, checks, mutants)
            few = [*(one for one in usable if one.source == WANTED), *_diverse(usable)]
            noticed = self._run_mutants(mutants, few, usable)
            self._properties = self._holding(usable, generator, open_ones)
        except Spent:
            spent = True
        try:
            self._choose(few, noticed, mutants, open_ones)
        except Spent:
            spent = True
        self._summary(generator, mutants, noticed, open_ones, spent=spent)

    def _observe(self, checks: Sequence[Check]) -> List[Call]:
        """Return the calls that tests make."""
        known: List[Call] = []
        for message in observed(self._loaded, checks, []) if checks else []:
            if message["kind"] == "call":
                call = call_of(message, self._request["callee"])
                known += [call] if call is not None else []
            elif message["kind"] == "unwritten":
                self._unwritten = message["names"]
        self._typical = TypicalCalls(known)
        return known

    def _generate(self, generator: Generator, known: Sequence[Call]) -> None:
        """Make the observed calls, then generated ones until nothing new was seen for long."""
        self._try(list(distinct(known, self._asked)), "observed")
        for candidate in self._pool:
            self._tested |= candidate.branches
        self._try(list(distinct(self._request["wanted"], self._asked)), WANTED)
        self._try(list(distinct(self._request["examples"], self._asked)), "example")
        small = distinct(generator.small(), self._asked)
        drawn = distinct(generator.drawn(), self._asked)
        corpus: List[Call] = [*known[:24]]
        quiet = 0
        while sum(self._counts.values()) < self._request["calls"] and quiet < QUIET:
            calls = list(itertools.islice(small, BATCH)) or list(itertools.islice(drawn, BATCH // 2))
            corpus = corpus or calls[:24]
            calls += distinct(generator.near(corpus[-40:], NEAR), self._asked)
            if not calls:
                break
            telling = self._try(calls, "generated")
            corpus += telling
            quiet = 0 if telling else quiet + len(calls)

    def _try(self, calls: Sequence[Call], source: str) -> List[Call]:
        """Make calls twice; keep the steady ones, and return those that executed a branch for the first time."""
        if not calls:
            return []
        seen: Set[int] = set().union(*(candidate.branches for candidate in self._pool))
        base = self._base.outcomes(calls)
        again = self._base.outcomes(calls, backwards=True)
        telling = []
        for call, first, second in zip(calls, base, again):
            self._count(source)
            if first is None or second is None or first["kind"] not in ("returns", "yields", "raises"):
                continue
            if second["kind"] != first["kind"] or difference(first, second):
                self._count("unsteady")
                continue
            is_preferred = any(value in self._request["preferred"] for _, value in places(call))
            is_usual = self._typical.include(call)
            candidate = Candidate(
                call, source_of(call), first, is_usual=is_usual, source=source, preferred=is_preferred
            )
            self._pool.append(candidate)
            if candidate.branches - seen:
                seen |= candidate.branches
                telling.append(call)
        return telling

    def _usable(self, generator: Generator) -> List[Candidate]:
        """Return the calls that a test can make; those that look wrong are kept apart."""
        wanted = [one for one in self._pool if not one.outcome["is_opaque"] and not one.outcome["left"]]
        failing = [one for one in wanted if one.outcome["kind"] == "raises"]
        said = asserted(self._base, [one.call for one in failing])
        accidents = {one.text for one, each in zip(failing, said) if each is None or not self._is_meant(each)}
        suspicious = [one for one in failing if one.text in accidents and self._is_inside(one, generator)]
        none = {one.text for one in wanted if is_odd_none(one, wanted, self._loaded.target)}
        self._undeclared = undeclared(wanted, generator.declared_result)
        suspicious += [one for one in wanted if one.text in self._undeclared and self._is_inside(one, generator)]
        self._suspicious = [*suspicious, *(one for one in wanted if one.text in none - self._undeclared)]
        wrong = accidents | none | self._undeclared
        return [one for one in wanted if one.text not in wrong]

    def _is_meant(self, said: Dict[str, Any]) -> bool:
        """True if the project raises an exception on purpose, or the docstring names it."""
        name = str(said["error"]).rpartition(".")[2]
        return bool(said["is_on_purpose"]) or name in (ast.get_docstring(self._loaded.target) or "")

    @staticmethod
    def _is_inside(one: Candidate, generator: Generator) -> bool:
        """True if a call that fails has arguments that callers may give: they are observed, or of known types."""
        return one.is_usual and (one.source != "generated" or not generator.guessed)

    def _count(self, what: str) -> None:
        self._counts[what] = self._counts.get(what, 0) + 1

    def _run_mutants(
        self, mutants: Sequence[Mutant], few: List[Candidate], usable: Sequence[Candidate]
    ) -> Dict[int, Set[int]]:
        """Return the numbers of the calls in `few` that notice each mutant; calls that notice another one join it."""
        versions = self._versions
        for number, mutant in enumerate(mutants):
            versions[number] = LocalVersion(self._loaded, mutant.edits)
        noticed = kill_matrix(versions, few)
        texts = {one.text for one in few}
        others = [one for one in usable if one.text not in texts]
        for start in range(0, min(len(others), self._request["more"]), CHUNK):
            chunk = others[start : start + CHUNK]
            unnoticed = {number: versions[number] for number in versions if noticed.get(number) == set()}
            if not unnoticed:
                break
            found = kill_matrix(unnoticed, chunk)
            useful = sorted({min(calls, key=lambda one: chunk[one].weight) for calls in found.values() if calls})
            more = kill_matrix(versions, [chunk[one] for one in useful]) if useful else {}
            for number, calls in more.items():
                noticed.setdefault(number, set()).update(len(few) + place for place in calls)
            few += [chunk[one] for one in useful]
        return noticed

    def _holding(self, usable: Sequence[Candidate], generator: Generator, open_ones: Set[int]) -> List[Found]:
        """Return the properties that get a test."""
        raises = any(one.is_usual and one.outcome["kind"] == "raises" for one in self._pool)
        callee = self._request["callee"]
        found = properties(self._base, self._versions, usable, generator, callee, open_ones, raises=raises)
        return list(itertools.islice(found, MAX_PROPERTIES))

    def _steady_elsewhere(self, few: Sequence[Candidate]) -> Set[int]:
        """Return the numbers of the calls whose outcome depends neither on the time nor on random numbers."""
        steady = set(range(len(few)))
        world = self._loaded.world
        for world.number in range(1, OTHER_WORLDS + 1):
            numbers = sorted(steady)
            outcomes = self._base.outcomes([few[number].call for number in numbers])
            steady -= {
                number
                for number, other in zip(numbers, outcomes)
                if other is None or other["kind"] == "lost" or difference(few[number].outcome, other)
            }
        world.number = 0
        return steady

    def _is_of_this_machine(self, said: Any) -> bool:
        """True if an assertion would name the folder of the project, which is another one elsewhere."""
        return len(self._request["root"]) > 1 and self._request["root"] in repr(said)

    def _choose(
        self, few: Sequence[Candidate], noticed: Dict[int, Set[int]], mutants: Sequence[Mutant], open_ones: Set[int]
    ) -> None:
        """Report the calls that are worth a test, and those that look wrong."""
        assertions = asserted(self._base, [one.call for one in few])
        assertable = {number for number, said in enumerate(assertions) if said is not None and asserts_something(said)}
        here = {number for number in assertable if self._is_of_this_machine(assertions[number])}
        elsewhere = self._steady_elsewhere(few) - here
        self._counts["elsewhere"] = len(assertable - elsewhere)
        assertable &= elsewhere
        left = {mutant: calls & assertable for mutant, calls in noticed.items()}
        told: Set[int] = set()
        most = self._request["most"] - len(self._properties)
        chosen = cover(few, left, open_ones, self._tested, most, assertable)
        numbers = {one.number for one in chosen}
        wanted = [number for number in sorted(assertable - numbers) if few[number].source == WANTED]
        for one in [*chosen, *(Chosen(number, frozenset(), frozenset()) for number in wanted)]:
            told |= one.mutants
            branches = [list(self._base.lines[number]) for number in sorted(one.branches)]
            self._tell(
                {
                    **self._told("test", few[one.number], assertions[one.number]),
                    "notices": sorted(one.mutants),
                    "branches": branches,
                }
            )
        for found in self._properties:
            told |= found.mutants
            self._tell(
                {
                    "kind": "property",
                    "name": found.property.kind,
                    "template": found.property.template,
                    "rows": [list(row) for row in found.rows],
                    "held": found.held,
                    "notices": sorted(found.mutants),
                    "imports": imports_for(
                        [text for row in found.rows for text in [found.property.text(row), *row]], self._loaded
                    ),
                }
            )
        for number in sorted(told | open_ones if self._request["tells_open"] else told):
            mutant = mutants[number]
            edits = [list(edit) for edit in mutant.edits]
            self._tell({"kind": "mutant", "number": number, "edits": edits, "line": mutant.line})
        odd = sorted(self._suspicious, key=lambda one: one.weight)[:MAX_SUSPICIOUS]
        for candidate, said in zip(odd, asserted(self._base, [one.call for one in odd])):
            if said is not None:
                declared = self._declared if candidate.text in self._undeclared else ""
                told_more = {"notices": [], "branches": [], "declared": declared}
                self._tell({**self._told("suspicious", candidate, said), **told_more})

    @property
    def _declared(self) -> str:
        """The text of the annotation of the result."""
        returns = self._loaded.target.returns
        return (ast.get_source_segment(self._request["text"], returns) or "") if returns is not None else ""

    def _told(self, kind: str, candidate: Candidate, said: Any) -> Dict[str, Any]:
        return {
            "kind": kind,
            "call": candidate.call,
            "text": candidate.text,
            "source": candidate.source,
            "is_usual": candidate.is_usual,
            "asserted": said,
            "imports": imports_of(candidate.call, said, self._loaded),
        }

    def _summary(
        self,
        generator: Optional[Generator],
        mutants: Sequence[Mutant],
        noticed: Dict[int, Set[int]],
        open_ones: Set[int],
        *,
        spent: bool,
    ) -> None:
        executed: Set[int] = set().union(*(candidate.branches for candidate in self._pool))
        results = {
            kind: sum(one.outcome["kind"] == kind for one in self._pool) for kind in ("returns", "yields", "raises")
        }
        self._tell(
            {
                "kind": "summary",
                "module": self._loaded.module.__name__,
                "counts": self._counts,
                "results": results,
                "branches": len(self._base.lines),
                "executed": len(executed),
                "tested": len(self._tested),
                "mutants": len(mutants),
                "noticed_before": len(mutants) - len(open_ones),
                "noticeable": sum(bool(noticed.get(number)) for number in range(len(mutants))),
                "opaque": sum(bool(one.outcome["is_opaque"]) for one in self._pool),
                "changing": sum(bool(one.outcome["left"]) for one in self._pool),
                "unmade": generator.unmade if generator else [],
                "guessed": generator.guessed if generator else [],
                "unwritten": self._unwritten,
                "is_spent": spent,
            }
        )


def _diverse(usable: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield at most `FEW` calls, plain ones first, of which not too many execute the same branches."""
    paths: Dict[Any, Set[str]] = {}
    found = 0
    for candidate in sorted((one for one in usable if one.source != WANTED), key=lambda one: one.weight):
        results = paths.setdefault((candidate.branches, candidate.outcome["kind"]), set())
        if candidate.outcome["value"] in results or len(results) >= PER_PATH:
            continue
        results.add(candidate.outcome["value"])
        found += 1
        yield candidate
        if found >= FEW:
            return
