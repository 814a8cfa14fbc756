"""Failing tests that failed with the last commit's text too: no repair of the change since then can be asked for them.

A test may fail for the machine's sake, such as a newer version of a library, although it executes the target. It would
refuse every candidate. That it failed before shows only if something else was right then, so at least one of the
other failing tests has to pass with that text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from certo.edits.source import read_source
from certo.project.revisions import Revision, find_revision
from certo.sandbox.executor import Policy
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.variant_run import VariantRun, run_variant
from certo.verification.dynamic.warm_pool import PROJECT, WarmPool
from certo.vocabulary.errors import BadRequest, ExperimentsUnavailable
from certo.vocabulary.problem import Baseline, BaselineRun, KnownTest
from certo.vocabulary.verdict import Ruling

MAX_SECONDS = 5.0
"""The time that the failing tests together may have taken to be run again, as the user is waiting."""

FAILED_BEFORE = "failed in the last commit too"
"""The beginning of the message of a test that is set aside here."""


async def without_earlier_failures(
    harness: Harness, baseline: Baseline, run: BaselineRun, request: BaselineRequest, environ: Mapping[str, str]
) -> Baseline:
    """Return the baseline, with failing tests set aside that fail with the document's text of the last commit as well.

    The required test and the user's examples are never among them, nor tests in a file that has changed since then:
    they may be about something new.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    failing = baseline.failing
    doubted = [test for test in failing if _may_be_older(test, harness, request.required_test)]
    is_quick = sum(test.seconds for test in failing) <= MAX_SECONDS
    if harness.target.is_hole or len(failing) < 2 or not doubted or not is_quick:
        return baseline
    try:
        revision = await find_revision(harness.root, "HEAD", environ)
        text = await revision.text_of(harness.path)
        if text is None or text == harness.base:
            return baseline
        before = await _run_on(text, harness, baseline, run, request.warm)
        if not any(before.passed(test) for test in failing):
            return baseline
        red = [test for test in doubted if _failed(before, test)]
        same = {path for path in set(map(_file_of, red)) if await _is_unchanged(path, harness, revision)}
    except (BadRequest, ExperimentsUnavailable):
        # Without git, a repository or a commit there is no text to ask.
        return baseline
    older = {test.id for test in red if _file_of(test) in same}
    return replace(
        baseline,
        tests=tuple(test for test in baseline.tests if test.id not in older),
        set_aside=(*baseline.set_aside, *(_told(test) for test in failing if test.id in older)),
    )


def _may_be_older(test: KnownTest, harness: Harness, required_test: str) -> bool:
    """True if the test may ask for something else than the target's repair."""
    return not test.is_given and _file_of(test) != harness.path and test.id.partition("[")[0] != required_test


async def _run_on(
    text: str, harness: Harness, baseline: Baseline, run: BaselineRun, warm: WarmPool | None
) -> VariantRun:
    """Run the failing tests with the document's text of the last commit, under the conditions of the baseline."""
    conditions = replace(harness, policy=Policy(baseline.policy), shown=run.shown, hidden=run.hidden)
    if warm is not None and run.prepared:
        conditions = await warm.harness(conditions, PROJECT)
        conditions = replace(conditions, libraries=run.libraries, characters=run.characters)
    return await run_variant(conditions, text, baseline.failing, apart=False, broken=False)


def _file_of(test: KnownTest) -> str:
    """Return the file that a test stands in; for an example in the target's docstring something that is no file."""
    return test.id.removeprefix("doctest:").rpartition(":")[0] if test.is_doctest else test.id.partition("::")[0]


def _failed(run: VariantRun, test: KnownTest) -> bool:
    case = run.cases.get(test.id)
    return case is not None and case.ruling is Ruling.FAILED


async def _is_unchanged(path: str, harness: Harness, revision: Revision) -> bool:
    """True if a file with tests is as it is in the last commit."""
    then = await revision.text_of(path)
    return then is not None and then == (harness.unsaved.get(path) or read_source(harness.root / path))


def _told(test: KnownTest) -> KnownTest:
    return replace(test, message=f"{FAILED_BEFORE}: {test.message}" if test.message else FAILED_BEFORE)
