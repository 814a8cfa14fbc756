"""Tests that certo wrote for a function: what each states, and why it is worth having."""

from __future__ import annotations

from typing import ClassVar

from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTest:
    """A test that passed the filter: `id` is what pytest calls it, `source` its text.

    It states that `call` gives `result`, which is what the function does today. It `notices` so many small changes that
    no test before it noticed, on these `lines`, and executes `branches` that none executed, in words. For a property,
    `call` is the relation, which `held` on so many calls, and `notices` counts all changes that it notices. A test that
    may state what is wrong has a `doubt`, which says why; it is not added unless the user names it. Its
    `author` is the language model that proposed it, if any.
    """

    id: str
    name: str
    source: str
    call: str
    result: str
    notices: int
    lines: tuple[int, ...]
    branches: tuple[str, ...]
    held: int = 0
    doubt: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingCall:
    """A call that gives something else `before`, in an older version, than `now`."""

    call: str
    before: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionAgreement(NoTruthValue):
    """The agreement of a function with the version `older`: on `compared` calls but for the `differences`.

    If nothing was compared, `reason` says why.
    """

    ask_for: ClassVar[str] = ".differences"

    older: str
    compared: int = 0
    differences: tuple[DifferingCall, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousCall:
    """A call whose result looks wrong, and `why`; a test of it would pin that, so it has a doubt."""

    call: str
    result: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTests(NoTruthValue):
    """The tests written for a function, for the file at `path` relative to the root; `is_new` if there is none yet.

    Of `mutants` small changes of the function its tests noticed `noticed_before`, and with these `noticed_after`; of
    `branches` they executed `executed_before`, and with these `executed_after`. `calls` were made to choose them, and
    `rejected` are tests that did not pass the filter, with the reason. `reason` says why there is no test.
    `agreement` is there if an older version was named.
    """

    ask_for: ClassVar[str] = ".tests"

    path: str = ""
    is_new: bool = False
    tests: tuple[WrittenTest, ...] = ()
    suspicious: tuple[SuspiciousCall, ...] = ()
    rejected: tuple[str, ...] = ()
    mutants: int = 0
    noticed_before: int = 0
    noticed_after: int = 0
    branches: int = 0
    executed_before: int = 0
    executed_after: int = 0
    calls: int = 0
    reason: str = ""
    agreement: VersionAgreement | None = None

    @property
    def ticked_names(self) -> tuple[str, ...]:
        """The names of the tests without a doubt."""
        return tuple(test.name for test in self.tests if not test.doubt)
