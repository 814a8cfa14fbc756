"""Failing tests that failed before the change too: no repair of that change can be asked for them.

A test may fail for the machine's sake, such as a newer version of a library, although it executes the target. It would
refuse every candidate. That it has nothing to do with the change shows only under strict conditions: nothing but the
target differs from the last commit, the test fails as it did there, with the same message, and another failing test
passed there. A test whose own assertion fails may be wanted although it failed before, as in test-driven development,
so it stays; an example in a text file may not, for those get out of date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from certo.project.revisions import find_revision
from certo.sandbox.executor import Policy
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.results import without_addresses
from certo.verification.dynamic.variant_run import VariantRun, run_variant
from certo.verification.dynamic.warm_pool import PROJECT, WarmPool
from certo.vocabulary.errors import BadRequest, ExperimentsUnavailable
from certo.vocabulary.problem import FAILED_BEFORE, Baseline, BaselineRun, KnownTest
from certo.vocabulary.verdict import Ruling

MAX_SECONDS = 5.0
"""The time that the failing tests together may have taken to be run again, as the user is waiting."""

MAX_TIMES_SLOWER = 2.0
"""The multiple of that time after which the run is ended; tests without a result are not set aside."""

TEXT_FILES = (".md", ".rst", ".txt")

_RAISED = re.compile(r"(?!AssertionError|Failed)[A-Za-z_][\w.]*: (?!.*\bassert)", re.DOTALL)
"""The message of a test that an exception ended, and not what it asserts."""


async def without_earlier_failures(
    harness: Harness, baseline: Baseline, run: BaselineRun, request: BaselineRequest, environ: Mapping[str, str]
) -> Baseline:
    """Return the baseline, with failing tests set aside that failed in the last commit for another reason.

    The required test and the user's examples are never among them.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    failing = baseline.failing
    doubted = [test for test in failing if _may_be_older(test, request.required_test)]
    is_quick = sum(test.seconds for test in failing) <= MAX_SECONDS
    if harness.target.is_hole or len(failing) < 2 or not doubted or not is_quick:
        return baseline
    text = await _committed_text(harness, environ)
    if text is None:
        return baseline
    before = await _run_on(text, harness, baseline, run, request.warm)
    if not any(before.passed(test) for test in failing):
        return baseline
    older = {test.id for test in doubted if _failed_so(before, test)}
    return replace(
        baseline,
        tests=tuple(test for test in baseline.tests if test.id not in older),
        set_aside=(*baseline.set_aside, *(_told(test) for test in failing if test.id in older)),
    )


def _may_be_older(test: KnownTest, required_test: str) -> bool:
    """True if the test may fail for another reason than what it asserts."""
    if test.is_given or test.id.partition("[")[0] == required_test:
        return False
    if test.is_doctest:
        return _file_of(test).endswith(TEXT_FILES)
    return _RAISED.match(test.message) is not None


async def _committed_text(harness: Harness, environ: Mapping[str, str]) -> str | None:
    """Return the document's text in the last commit; None if anything but the target differs from that."""
    span, now = harness.target.span, harness.base
    if harness.target.second is not None or harness.unsaved:
        return None
    try:
        revision = await find_revision(harness.root, "HEAD", environ)
        text = await revision.text_of(harness.path)
        differing = await revision.differing_files()
    except (BadRequest, ExperimentsUnavailable):
        # Without git, a repository or a commit there is no text to ask.
        return None
    after = len(now) - span.end
    is_alone = differing <= {harness.path}
    if text is None or text == now or not is_alone or len(text) < span.start + after:
        return None
    is_same_around = text[: span.start] == now[: span.start] and text[len(text) - after :] == now[span.end :]
    return text if is_same_around else None


async def _run_on(
    text: str, harness: Harness, baseline: Baseline, run: BaselineRun, warm: WarmPool | None
) -> VariantRun:
    """Run the failing tests with the document's text of the last commit, under the conditions of the baseline."""
    options = replace(harness.options, total_seconds=min(harness.options.total_seconds, MAX_TIMES_SLOWER * MAX_SECONDS))
    conditions = replace(harness, policy=Policy(baseline.policy), shown=run.shown, hidden=run.hidden, options=options)
    if warm is not None and run.prepared:
        conditions = await warm.harness(conditions, PROJECT)
        conditions = replace(conditions, libraries=run.libraries, characters=run.characters)
    return await run_variant(conditions, text, baseline.failing, apart=False, broken=False)


def _file_of(test: KnownTest) -> str:
    """Return the file that a test stands in; for an example in the target's docstring something that is no file."""
    return test.id.removeprefix("doctest:").rpartition(":")[0] if test.is_doctest else test.id.partition("::")[0]


def _failed_so(run: VariantRun, test: KnownTest) -> bool:
    """True if a test failed with the same message."""
    case = run.cases.get(test.id)
    same = case is not None and without_addresses(case.message) == without_addresses(test.message)
    return same and case is not None and case.ruling is Ruling.FAILED


def _told(test: KnownTest) -> KnownTest:
    return replace(test, message=f"{FAILED_BEFORE}: {test.message}" if test.message else FAILED_BEFORE)
