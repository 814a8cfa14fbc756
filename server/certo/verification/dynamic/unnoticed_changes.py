"""Remarks on tests that are evidence, but depend on little of the result or on few of the changes.

The candidate is verified nevertheless; the remarks tell the user what no test looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from certo.concurrency import gather_until, side_by_side
from certo.verification.dynamic.mutants import ALIKE, EMPTY, FIRST, MutantRun, MutantRunner, Mutation
from certo.verification.static.reverted_changes import RevertedChange
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding

MAX_CHANGES = 8
"""The number of changes that are left out one by one."""

MAX_ASKED_FIRST = 3
"""The number of tests that are tried first where one that notices something is enough."""


@dataclass(frozen=True, slots=True)
class WeighedTests:
    """Tests that noticed another result: the `vacuous` ones depend on none of its items, nor on there being any."""

    vacuous: frozenset[str]
    remarks: tuple[str, ...]


async def weigh_tests(versions: MutantRunner, tests: Sequence[KnownTest], name: str, *, alone: bool) -> WeighedTests:
    """Run tests on mutants of the target `name` that return other items, an empty result, or the first argument.

    If no test notices one of these, a remark says so; not unless `alone`, as other tests may notice it.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    others_noticed = first_noticed = True
    empty = MutantRun()

    async def ask_all() -> None:
        nonlocal empty
        [empty] = await _stood(versions, [(EMPTY, tests)])

    async def ask_others() -> None:
        nonlocal others_noticed
        others_noticed = await _is_noticed(versions, ALIKE, tests)

    async def ask_first(some: Sequence[KnownTest]) -> None:
        nonlocal first_noticed
        first_noticed = await _is_noticed(versions, (FIRST,), some)

    async with side_by_side() as group:
        group.start_soon(ask_all)
        if alone:
            group.start_soon(ask_others)
            group.start_soon(ask_first, tests)
    # A test that notices an empty result depends on something of it. Only the others may depend on nothing at all.
    calm = [test for test in tests if test.id in empty.calm]
    runs = await _stood(versions, [(wrong, calm) for wrong in ALIKE])
    vacuous = frozenset(test.id for test in calm).intersection(*(run.calm for run in runs))
    left = [test for test in tests if test.id not in vacuous]
    if alone and vacuous and first_noticed:
        await ask_first(left)
    remarks = []
    if left and not others_noticed:
        remarks.append(f"the tests depend on how many items {name} returns, not on what they are")
    if left and alone and len(calm) == len(tests):
        remarks.append(f"the tests pass as well where {name} returns an empty result")
    if left and not first_noticed:
        remarks.append(f"the tests pass as well where {name} returns its first argument")
    return WeighedTests(vacuous, tuple(remarks))


async def _is_noticed(versions: MutantRunner, wrongs: Sequence[Mutation], tests: Sequence[KnownTest]) -> bool:
    """True if a test does not stay calm with one of these mutants.

    One that notices is enough, and the first mutant is noticed most often: so it is tried alone, then the others; and
    the first few tests are asked before the rest.
    """
    for some in (tests[:MAX_ASKED_FIRST], tests[MAX_ASKED_FIRST:]):
        ids = {test.id for test in some}
        for tried in (wrongs[:1], wrongs[1:]):
            if not all(run.calm >= ids for run in await _stood(versions, [(wrong, some) for wrong in tried])):
                return True
    return False


async def find_unnoticed_changes(
    versions: MutantRunner,
    changes: Sequence[RevertedChange],
    tests: Sequence[KnownTest],
    *,
    seconds: float,
    together: bool,
) -> list[Finding]:
    """Leave out the first changes one by one, as `seconds` allow; return a finding for each that no test notices.

    If no single change is noticed, but all of them are `together`, they belong together and there is no finding.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    each = sum(test.seconds for test in tests)
    tried = changes[: max(1, min(MAX_CHANGES, int(seconds / each)) if each else MAX_CHANGES)]
    asked = [partial(versions.without, change.text, tests) for change in tried]
    heard = await gather_until(asked, lambda _: False)
    ids = {test.id for test in tests}
    unneeded = [change for place, change in enumerate(tried) if not heard[place].red and heard[place].green >= ids]
    if together and len(unneeded) == len(changes):
        return []
    return [Finding(message=change.unnoticed, line=change.line) for change in unneeded]


async def _stood(versions: MutantRunner, questions: Sequence[tuple[Mutation, Sequence[KnownTest]]]) -> list[MutantRun]:
    async def asked(wrong: Mutation, tests: Sequence[KnownTest]) -> MutantRun:
        return await versions.of(wrong, tests) if tests else MutantRun()

    return list((await gather_until([partial(asked, *each) for each in questions], lambda _: False)).values())
