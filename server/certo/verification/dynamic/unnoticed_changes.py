"""Remarks on tests that are evidence: they may depend on little of what the target returns or of what was changed.

A candidate is verified all the same, and the user reads what nobody has looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from certo.concurrency import gather_until
from certo.verification.dynamic.mutants import ALIKE, EMPTY, FIRST, Stood, Versions, Wrong
from certo.verification.dynamic.reverted_changes import Undone
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Finding

MAX_CHANGES = 8
"""How many changes are undone one by one."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What tests that noticed another result depend on: the `vacuous` on none of its items, nor on there being any."""

    vacuous: frozenset[str]
    remarks: tuple[str, ...]


async def weighed(versions: Versions, tests: Sequence[KnownTest], name: str, *, alone: bool) -> Weighed:
    """Try tests on results of the target `name` that have other items, are empty, or are its first argument.

    A remark is made where none of the tests notices; `alone` says that there are no other tests that may.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    others, empty, first = await _stood(versions, ((ALIKE[0], tests), (EMPTY, tests), (FIRST, tests if alone else ())))
    calm = [test for test in tests if test.id in others.calm]
    once_more = await _stood(versions, [(wrong, calm) for wrong in ALIKE[1:]])
    counting = frozenset(test.id for test in calm).intersection(*(stood.calm for stood in once_more))
    vacuous = counting & empty.calm
    left = {test.id for test in tests} - vacuous
    remarks = []
    if alone and left and left <= counting:
        remarks.append(f"the tests depend on how many items {name} returns, not on what they are")
    if alone and left and left <= empty.calm:
        remarks.append(f"the tests pass as well where {name} returns an empty result")
    if alone and left and left <= first.calm:
        remarks.append(f"the tests pass as well where {name} returns its first argument")
    return Weighed(vacuous, tuple(remarks))


async def unnoticed(
    versions: Versions, changes: Sequence[Undone], tests: Sequence[KnownTest], *, seconds: float, together: bool
) -> list[Finding]:
    """Undo the first changes one by one, as many as there are `seconds` for; return which of them no test notices.

    Where none is noticed that was tried, but all are `together`, they belong together, and nothing is said of them.

    Raises:
        BrokenWorld: nothing can be run at all.
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


async def _stood(versions: Versions, questions: Sequence[tuple[Wrong, Sequence[KnownTest]]]) -> list[Stood]:
    async def asked(wrong: Wrong, tests: Sequence[KnownTest]) -> Stood:
        return await versions.of(wrong, tests) if tests else Stood()

    return list((await gather_until([partial(asked, *each) for each in questions], lambda _: False)).values())
