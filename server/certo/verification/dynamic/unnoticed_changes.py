"""Remarks on tests that are evidence, but depend on little of the result or on few of the changes.

The candidate is verified nevertheless; the remarks tell the user what no test looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from certo.concurrency import gather_until
from certo.verification.dynamic.mutants import ALIKE, EMPTY, FIRST, MutantRun, MutantRunner, Mutation
from certo.verification.dynamic.reverted_changes import RevertedChange
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Finding

MAX_CHANGES = 8
"""The number of changes that are left out one by one."""


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
    others, empty, first = await _stood(versions, ((ALIKE[0], tests), (EMPTY, tests), (FIRST, tests if alone else ())))
    calm = [test for test in tests if test.id in others.calm]
    once_more = await _stood(versions, [(wrong, calm) for wrong in ALIKE[1:]])
    counting = frozenset(test.id for test in calm).intersection(*(run.calm for run in once_more))
    vacuous = counting & empty.calm
    left = {test.id for test in tests} - vacuous
    remarks = []
    if alone and left and left <= counting:
        remarks.append(f"the tests depend on how many items {name} returns, not on what they are")
    if alone and left and left <= empty.calm:
        remarks.append(f"the tests pass as well where {name} returns an empty result")
    if alone and left and left <= first.calm:
        remarks.append(f"the tests pass as well where {name} returns its first argument")
    return WeighedTests(vacuous, tuple(remarks))


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
