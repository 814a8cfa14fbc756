"""Writing tests of a function as it stands; they are candidates: nothing is written before they are accepted."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from certo.behaviour.observed_files import files_that_name
from certo.behaviour.subject import Subject
from certo.generation.regression.proposal import TestProposal, write_tests
from certo.generation.regression.selection import NORMAL, SelectionBudget
from certo.project.testfiles import is_test_file
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.written_tests import WrittenTests


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


async def write_tests_of_current(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    budget: SelectionBudget = NORMAL,
) -> CurrentTests:
    """Write tests that state what a function does today.

    Raises:
        BadRequest: The target is a test, or the place where its tests would go cannot be written to.
        BrokenWorld: Nothing can be run here.
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
    proposal = await write_tests(subject, seed=resolved.settings.search.seed, budget=budget, say=say)
    return CurrentTests(resolved=resolved, proposal=proposal, seconds=round(time.monotonic() - began, 3))
