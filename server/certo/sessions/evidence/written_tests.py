"""Writing tests of a function as it stands; they are candidates: nothing is written before they are accepted."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

from certo.behaviour.observed_files import files_that_name
from certo.behaviour.subject import Subject
from certo.behaviour.version_comparison import ComparisonBudget
from certo.edits.pinned_tests import PinnedTest, digest, digest_of_test
from certo.edits.target import definition_of
from certo.generation.model.templates import load
from certo.generation.regression.agreement import with_agreement
from certo.generation.regression.model_tests import TestAuthor, with_model_tests
from certo.generation.regression.proposal import TestProposal, write_tests
from certo.generation.regression.selection import NORMAL, SelectionBudget
from certo.llm.model import ChatModel
from certo.project.revisions import find_revision
from certo.project.testfiles import is_test_file
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest
from certo.sessions.evidence.behaviour_diff import OlderVersion, diff_function, older_at
from certo.storage.journal import Journal
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass
from certo.vocabulary.written_tests import DifferingCall, VersionAgreement, WrittenTests

MAX_DIFFERENCES = 4
"""Maximum number of differences from an older version that are shown and get a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentTests:
    """Tests written for a function in its current text; `seconds` is the wall time it took."""

    resolved: ResolvedRequest
    proposal: TestProposal
    seconds: float

    @property
    def written(self) -> WrittenTests:
        """The tests, and what is known of them."""
        return self.proposal.written

    def replacement(self, names: Collection[str]) -> tuple[str, str | None, str]:
        """Return the test file's path, its text before, None for a new file, and with the tests of these names."""
        place = self.proposal.place
        assert place is not None  # there are tests, so there is a place for them
        return place.path, place.text, self.proposal.text(names)

    def pins(self, names: Collection[str], *, are_right: bool) -> dict[str, str]:
        """Return a line about each test of these names, by what pytest calls it; see `PinnedTest`.

        If they `are_right`, the user has said so of each.
        """
        definition = definition_of(self.resolved.request.text, self.resolved.target)
        assert definition is not None  # the target was found in this text
        text = self.proposal.text(names)
        return {
            test.id: PinnedTest(
                test=digest_of_test(text, test.id.partition("::")[2]),
                path=self.resolved.path,
                qualname=self.resolved.target.qualname,
                target=digest(definition.node),
                author=test.author,
                is_right=are_right,
            ).line
            for test in self.written.tests
            if test.name in names
        }


def pin_tests(journal: Journal | None, current: CurrentTests, names: Collection[str], *, are_right: bool) -> None:
    """Remember which tests certo wrote, so that they verify nothing by what they were taken from."""
    if journal is not None:
        journal.runs.pin(current.pins(names, are_right=are_right))


async def write_tests_of_current(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    older: OlderVersion | None = None,
    model: ChatModel | None = None,
    budget: SelectionBudget = NORMAL,
) -> CurrentTests:
    """Write tests that state what a function does today; those that fail on the version `older` have a doubt.

    A language `model` proposes further ones, if there is one.

    Raises:
        BadRequest: The target is a test, or the place where its tests would go cannot be written to.
        BrokenWorld: Nothing can be run here.
        ModelFailed, BudgetExhausted: The model did not answer.
    """
    began = time.monotonic()
    if is_test_file(resolved.path):
        raise BadRequest(f"{resolved.path} is a test file; name the function that needs tests")
    subject = Subject(
        root=resolved.root,
        path=resolved.path,
        text=resolved.request.text,
        target=resolved.target,
        executor=context.executor,
        interpreter=context.interpreter,
        policy=Policy.FORKING,
        unsaved=resolved.unsaved,
        tests=files_that_name(resolved.root, resolved.path, resolved.target.qualname, resolved.unsaved),
    )
    agreement = None if older is None else await _agreement(resolved, context, older, say)
    wanted = [one.call for one in agreement.differences] if agreement is not None else []
    seed = resolved.settings.search.seed
    proposal = await write_tests(
        subject, seed=seed, budget=budget, wanted=wanted, tells_open=model is not None, say=say
    )
    if model is not None:
        say(f"{model.name} writes further tests")
        templates = load(resolved.root, resolved.settings.generation.prompts)
        python = ".".join(map(str, context.interpreter.version))
        proposal = await with_model_tests(
            proposal, subject, TestAuthor(model=model, templates=templates, python=python)
        )
    if older is not None and agreement is not None:
        say(f"running the tests on {older.name}")
        texts = {path: text for path, text in older.texts.items() if text is not None and not is_test_file(path)}
        proposal = await with_agreement(proposal, subject, agreement, texts)
    return CurrentTests(resolved=resolved, proposal=proposal, seconds=round(time.monotonic() - began, 3))


async def older_of(resolved: ResolvedRequest, against: str, environ: Mapping[str, str]) -> OlderVersion | None:
    """Return the project at the revision `against`; None without a name.

    Raises:
        BadRequest: There is no such revision, or no such function in it.
    """
    return await older_at(await find_revision(resolved.root, against, environ), resolved) if against else None


async def _agreement(
    resolved: ResolvedRequest, context: ExecutionContext, older: OlderVersion, say: Callable[[str], None]
) -> VersionAgreement:
    """Return how a function agrees with an older version of it, with its most telling differences."""
    say(f"comparing with {older.name}")
    found = await diff_function(resolved, context, older, ComparisonBudget(exhaustive=True))
    differences = [one for one in found.differences if not one.is_slight][:MAX_DIFFERENCES]
    return VersionAgreement(
        older=older.name,
        compared=found.compared,
        differences=tuple(DifferingCall(call=one.call, before=one.before, now=one.now) for one in differences),
        reason=found.reason,
    )
