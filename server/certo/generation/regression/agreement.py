"""Tests held against an older version of the function: what it does otherwise is no reason to pin either."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from certo.behaviour.subject import Subject
from certo.generation.regression.gate import run_once
from certo.generation.regression.proposal import TestProposal
from certo.vocabulary.written_tests import VersionAgreement, WrittenTest


async def with_agreement(
    proposal: TestProposal, subject: Subject, agreement: VersionAgreement, texts: Mapping[str, str]
) -> TestProposal:
    """Return a proposal whose tests have a doubt where they fail on an older version; `texts` are its files.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    written = replace(proposal.written, agreement=agreement)
    if not proposal.tests or proposal.writer is None or proposal.place is None:
        return replace(proposal, written=written)
    older = replace(subject, text=texts[subject.path], unsaved={**subject.unsaved, **texts})
    result = await run_once(older, proposal.place.path, proposal.writer, proposal.tests)
    known = {one.call: one.before for one in agreement.differences}

    def judged(test: WrittenTest) -> WrittenTest:
        within = proposal.writer.within_file(test.name) if proposal.writer is not None else ""
        if result.passes.get(within) and test.call not in known:
            return test
        said = result.wrong.get(within) or result.problem or "it did not run"
        otherwise = f": {known[test.call]}" if test.call in known else f" it fails: {said}"
        return replace(test, doubt=f"in {agreement.older}{otherwise}")

    return replace(proposal, written=replace(written, tests=tuple(map(judged, written.tests))))
