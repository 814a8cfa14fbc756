"""Tests that certo wrote, on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, AliasPath, BeforeValidator, Field

from certo.protocol.wire import Wire


class WrittenTest(Wire):
    """A test that certo wrote: what pytest calls it, and its text.

    It states that `call` gives `result`, which is what the function does today. It `notices` so many small changes that
    no test before it noticed, on these 1-based `lines`, and executes `branches` that none executed. For a property,
    `call` is the relation, which `held` on so many calls, and `notices` counts all changes that it notices.
    A test with a `doubt` may state what is wrong; it is added only if the user names or ticks it.
    The `author` is the language model that proposed it, if any.
    """

    id: str
    name: str
    source: str
    call: str
    result: str
    notices: int
    lines: tuple[int, ...] = ()
    branches: tuple[str, ...] = ()
    held: int = 0
    doubt: str = ""
    author: str = ""


class DifferingCall(Wire):
    """A call that gives something else `before`, in an older version, than `now`."""

    call: str
    before: str
    now: str


class VersionAgreement(Wire):
    """The agreement of a function with the version `older`: on `compared` calls but for the `differences`.

    If nothing was compared, `reason` says why.
    """

    older: str
    compared: int = 0
    differences: tuple[DifferingCall, ...] = ()
    reason: str = ""


class SuspiciousCall(Wire):
    """A call whose result looks wrong, and why; a test of it has a doubt."""

    call: str
    result: str
    why: str


class WrittenTests(Wire):
    """The tests written for a function, for the file at `path`, relative to the root; `isNew` if there is none yet.

    Of `mutants` small changes the function's tests noticed `noticedBefore`, with these `noticedAfter`; of `branches`
    they executed `executedBefore`, with these `executedAfter`. `calls` were made to choose them. `rejected` are tests
    that did not pass the filter. `reason` says why there is no test. `agreement` is there if a revision was named.
    """

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


class CurrentTestsReport(Wire):
    """Tests written for a function in its current text; `applied` if they were added to the file."""

    type: Literal["tests"] = "tests"
    root: Annotated[str, BeforeValidator(str)] = Field(
        validation_alias=AliasChoices("root", AliasPath("resolved", "root"))
    )
    path: str = Field(validation_alias=AliasChoices("path", AliasPath("resolved", "path")))
    qualname: str = Field(validation_alias=AliasChoices("qualname", AliasPath("resolved", "target", "qualname")))
    line: int = Field(validation_alias=AliasChoices("line", AliasPath("resolved", "target", "line")))
    written: WrittenTests
    applied: bool = False
    seconds: float
