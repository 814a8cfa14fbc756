"""Tools that judge, compare and test a function, and check a digest; none of them searches."""

from __future__ import annotations

import os

from certo.agents.arguments import (
    CheckArguments,
    CompareArguments,
    DiffArguments,
    StrengthArguments,
    TestsArguments,
    VerifyArguments,
)
from certo.agents.toolkit import Answer, digest_line, evidence_lines
from certo.agents.workspace import Workspace
from certo.presentation.behaviour import details, heading
from certo.presentation.claims import claim_in_words
from certo.presentation.strength import gap_in_words, remarks, shown_gaps, strength_in_words
from certo.presentation.written_tests import PRESENT, gain_in_words, tests_in_words
from certo.protocol.behaviour import BehaviourDiff
from certo.protocol.candidates import CompareResult
from certo.protocol.claims import CheckedVerdict
from certo.protocol.strength import TestStrength
from certo.protocol.values import CurrentReport
from certo.protocol.written_tests import CurrentTestsReport
from certo.sessions.verdict_claims import check_claim
from certo.vocabulary.progress import Say
from certo.vocabulary.strength import TestStrength as MeasuredStrength


async def verify(workspace: Workspace, asked: VerifyArguments, say: Say) -> Answer:
    """Judge a function as it is."""
    project = await workspace.project(asked.root)
    found = await project.examine(asked.target, strength=asked.strength, on_progress=say)
    lines = [f"{found.report.headline}  {found.resolved.target.qualname} in {found.resolved.path}"]
    lines += evidence_lines(found.report)
    lines += found.baseline.problems
    if found.report.strength is not None:
        lines += _strength_lines(found.report.strength, found.resolved.target.short_name)
    return Answer(value=CurrentReport.model_validate(found), lines=(*lines, *digest_line(found.digest)))


async def strength(workspace: Workspace, asked: StrengthArguments, say: Say) -> Answer:
    """Measure the tests of a function."""
    project = await workspace.project(asked.root)
    found = await project.strength(asked.target, on_progress=say)
    name = asked.target.rpartition("::")[2]
    return Answer(value=TestStrength.model_validate(found), lines=tuple(_strength_lines(found, name)))


def _strength_lines(found: MeasuredStrength, name: str) -> list[str]:
    return [strength_in_words(found), *(f"- {gap_in_words(gap)}" for gap in shown_gaps(found)), *remarks(found, name)]


async def diff(workspace: Workspace, asked: DiffArguments, say: Say) -> Answer:
    """Compare a function with an older version."""
    project = await workspace.project(asked.root)
    say(f"comparing {asked.target} with {asked.against}")
    found = await project.diff(
        asked.target,
        against=asked.against,
        seconds=asked.seconds,
        exhaustive=asked.exhaustive,
        seed=asked.seed,
    )
    lines = ("  ".join(heading(found)), *details(found, every=asked.exhaustive))
    return Answer(value=BehaviourDiff.model_validate(found), lines=lines)


async def write_tests(workspace: Workspace, asked: TestsArguments, say: Say) -> Answer:
    """Write tests of a function, and add them to the test file if that is asked for."""
    project = await workspace.project(asked.root)
    found = await project.write_tests(asked.target, on_progress=say)
    ticked = found.written.ticked_names
    applied = bool(asked.apply and ticked)
    lines = [tests_in_words(found.written), gain_in_words(found.written)]
    lines += [test.source for test in found.written.tests if test.name in ticked]
    lines += [PRESENT.format(name=found.resolved.target.short_name)] if ticked else []
    lines += [f"suspicious: {each.call} {each.result}: {each.why}" for each in found.written.suspicious]
    if applied:
        path = await project.add_tests(found)
        lines.append(f"added to {path}")
    elif ticked:
        lines.append("nothing was written; ask again with apply: true to add them")
    report = CurrentTestsReport.model_validate(found).model_copy(update={"applied": applied})
    return Answer(value=report, lines=tuple(filter(None, lines)))


async def compare(workspace: Workspace, asked: CompareArguments, say: Say) -> Answer:
    """Compare two candidates of a search."""
    search = workspace.search(asked.search_id)
    say("comparing the candidates")
    found = await search.compare(asked.candidate_id, asked.other_id)
    if found.difference is None:
        lines = [found.reason or "no difference found", f"{found.tried} calls were made of both"]
    else:
        shown = found.difference
        lines = [f"they differ on {shown.call}", f"first: {shown.ours}", f"second: {shown.theirs}"]
    return Answer(value=CompareResult.model_validate(found), lines=tuple(lines))


async def check(_: Workspace, asked: CheckArguments, __: Say) -> Answer:
    """Check the digest of a verdict."""
    checked = check_claim(asked.digest.strip(), os.environ)
    return Answer(value=CheckedVerdict.model_validate(checked), lines=tuple(claim_in_words(checked)))
