"""The problem of a search: one target in one document, its goal, and the results of its tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path

from certo.vocabulary.guidance import UNGUIDED, Example, Guidance, is_given
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span
from certo.vocabulary.verdict import Ruling

FLAKY = "is flaky: it failed and passed on the same code"
"""The message of a test that is set aside because its result changes from run to run."""

FAILED_BEFORE = "failed in the last commit too"
"""The beginning of the message of a test that is set aside because the change is not what it fails for."""

NOT_INSTALLED = "configured but not installed: "
"""The beginning of a problem that only says which of the project's tools its environment lacks."""

_FLAKY_IN_STORED_SEARCHES = "fails in one run and passes in another, on the same text"


class Goal(Enum):
    """The user's goal; each value is the word that the user reads."""

    IMPLEMENT = "implement"
    REPAIR = "repair"
    REWRITE = "rewrite"
    FASTER = "faster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The function or method the problem is about.

    `qualname` is what its `__qualname__` will be, `<locals>` and all. `span` runs from its first decorator (or `def`)
    to the end of its body, `body` from the first statement behind the docstring to the same end; when there is only a
    docstring, `body` is empty and stands right behind it. Both are offsets into the document's text. `line` is the
    1-based line of the `def`. `signature` is the source from `def` to the colon. `number` tells it from others of its
    qualified name, as a property and its setter are: how many of them stand before it. With a `second` function,
    candidates may change both; if that stands in the same document, it is behind the target, and `span` reaches to its
    end.
    """

    qualname: str
    span: Span
    body: Span
    line: int
    signature: str
    docstring: str = ""
    is_hole: bool = False
    number: int = 0
    second: SecondFunction | None = None

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]

    @property
    def short_name(self) -> str:
        """The function as the user would name it: "Till.total", "outer.inner"; with a second one, both."""
        name = self.qualname.replace(".<locals>.", ".")
        return name if self.second is None else f"{name} and {self.second.target.short_name}"

    def is_same(self, other: Target) -> bool:
        """True if both are the same function, possibly in different versions of its file."""
        return (self.qualname, self.number) == (other.qualname, other.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFunction:
    """A function that candidates may change together with the target; `path` is its document's."""

    path: str
    target: Target

    @property
    def named(self) -> str:
        """Its document and name, as the user would write them: "shop/till.py::Till.total"."""
        return f"{self.path}::{self.target.short_name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTest:
    """A test that was collected on the base text, and how it stood there.

    `id` is pytest's node id, `doctest:<qualname>:<line>` for an example in the target's docstring,
    `doctest:<path>:<line>` for one in another docstring or a text file, or `example 1` and so on for one given
    besides. `ruling` is UNDECIDED for a test that was skipped or could not run. `message`
    is the short reason when it did not pass; `seconds` its wall time.
    """

    id: str
    ruling: Ruling
    message: str = ""
    seconds: float = 0.0

    @property
    def is_flaky(self) -> bool:
        """True if the test failed and passed on the same text, in a search of today or in a stored one."""
        return self.message in (FLAKY, _FLAKY_IN_STORED_SEARCHES)

    @property
    def is_older(self) -> bool:
        """True if the test was set aside because it failed before the change."""
        return self.message.startswith(FAILED_BEFORE)

    @property
    def is_doctest(self) -> bool:
        """True if this is an example, from a docstring, a text file or the user, and no test of pytest's."""
        return self.id.startswith("doctest:") or self.is_given

    @property
    def is_given(self) -> bool:
        """True if this is an example that the user gave, which stands in no file."""
        return is_given(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The results of the project's tests on the text before any candidate.

    `tests` count: they reach the target, or may be any of the project's tests if it is the `whole` suite. Those that
    are `set_aside` fail for reasons outside the target, or are flaky; they are only reported. `problems` are sentences
    for the user, such as that pytest is missing or a test file fails at collection. `policy` names what the tests had
    to be allowed besides computing, and candidates therefore are; `needs` says why, and is empty if that is nothing.
    """

    tests: tuple[KnownTest, ...] = ()
    set_aside: tuple[KnownTest, ...] = ()
    problems: tuple[str, ...] = ()
    policy: str = "strict"
    needs: str = ""
    whole: bool = False

    @property
    def failing_elsewhere(self) -> tuple[KnownTest, ...]:
        """The tests set aside for a reason outside the target; flaky ones are named in `problems` instead."""
        return tuple(test for test in self.set_aside if not test.is_flaky)

    @property
    def failing(self) -> tuple[KnownTest, ...]:
        """The tests a candidate has to turn green."""
        return tuple(test for test in self.tests if test.ruling is Ruling.FAILED)

    @property
    def passing(self) -> tuple[KnownTest, ...]:
        """The tests a candidate must not break."""
        return tuple(test for test in self.tests if test.ruling is Ruling.PASSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineRun:
    """The conditions of the runs that gave a baseline, for later runs; never sent.

    `ran` are the ids of all tests that ran in the order of their files, including those that do not count unless they
    take long. `rest` are test files of which tests were left out, because no name in them leads to the target. `tools`
    names the project's tools that read the text without trouble, and so can judge candidates.
    Processes are prepared with the rest: `libraries` are the modules outside the project that tests imported;
    `characters` is true if Hypothesis made its tables of them, and `early` if pytest imports the target before any test
    file, as from a conftest.py. `prepared` is set if the baseline itself ran in a process prepared for the project,
    which then serves for candidates too. `shown` are files and directories that look like secrets, which the tests need
    and every run can therefore read; `hidden` are those that git ignores and the tests do not need, which no run can
    read. `lasts` is true if every test ended by itself, so that the same runs would give the same baseline again, and
    `remembered` if the baseline is that of an earlier run in exactly the same state of the project. `reruns` is the
    number of further runs in prepared processes in which every test had the same result.
    """

    ran: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    characters: bool = False
    early: bool = False
    prepared: bool = False
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    lasts: bool = False
    remembered: bool = False
    reruns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The problem of one search: a target in a document, and what a candidate must achieve there.

    `root` is the project's root, `path` the document relative to it (POSIX form), `text` the document's text when the
    problem was stated, unsaved changes included. `unsaved` holds the unsaved text of other documents, by the same kind
    of path. `others` are the further files that a candidate may change, None if it may change none. `selected` is the
    part of the target that the user has selected, if any. `examples` are those in the target's docstring; `guidance`
    has those that the user gave. `ignored` are the files and directories that git ignores, code included: no prompt
    quotes them. `baseline_run` serves later runs of this process. If it `preserves` behaviour, a candidate must not act
    otherwise than the text, whatever its tests allow. With `tests_first` there is no search if no test reaches the
    target: its user is offered tests before anything else. The tests `pinned` are some of the baseline's that certo
    wrote and that judge no candidate: they state what the text does, or their author is among the candidates' authors.
    """

    root: Path
    path: str
    text: str
    target: Target
    goal: Goal
    instruction: str = ""
    examples: tuple[Example, ...] = ()
    baseline: Baseline = Baseline()
    baseline_run: BaselineRun = BaselineRun()
    unsaved: Mapping[str, str] = field(default_factory=dict)
    guidance: Guidance = UNGUIDED
    selected: Span | None = None
    others: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()
    preserves: bool = False
    tests_first: bool = False
    pinned: frozenset[str] = frozenset()
