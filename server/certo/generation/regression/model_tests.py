"""Further tests by a language model: they pass the same filter, and each notices a change that no other test does."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from certo.behaviour.subject import Subject
from certo.edits.patch import apply_edits
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import shortened
from certo.generation.model.templates import Templates
from certo.generation.regression.gate import GateResult, KillClaim, filter_tests
from certo.generation.regression.proposal import TestProposal
from certo.generation.regression.proposed_tests import proposed_in
from certo.generation.regression.test_file import NewTest
from certo.llm.model import ChatModel
from certo.llm.prompt import Message, Prompt
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit
from certo.vocabulary.written_tests import WrittenTest

MAX_KEPT = 4
MAX_CLAIMS = 3
"""Maximum numbers of a model's tests that are kept, and of those shown that fail on the text as it is."""

MAX_FILE_CHARACTERS = 12_000
MAX_SHOWN_CHANGES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TestAuthor:
    """A language model that proposes tests, with its prompts, for the Python of this version."""

    __test__ = False

    model: ChatModel
    templates: Templates
    python: str


async def with_model_tests(proposal: TestProposal, subject: Subject, author: TestAuthor) -> TestProposal:
    """Return a proposal with those tests of a model that notice what no test of it does.

    Tests that fail on the text as it is are named among the rejected ones: they claim something else.

    Raises:
        ModelFailed, BudgetExhausted: The model did not answer.
        BrokenWorld: Nothing can be run here.
    """
    place, writer = proposal.place, proposal.writer
    if place is None or writer is None or not proposal.open:
        return proposal
    reply = await author.model.answer(Prompt(messages=(Message(role="user", text=_prompt(proposal, subject, author)),)))
    taken = {*writer.names, *(test.name for test in proposal.tests)}
    proposed = proposed_in(reply.text, place.style.form, taken)
    if not proposed:
        said = f"{author.model.name}: its answer has no test that only calls the function and compares"
        return _rejecting(proposal, (said,))
    claims = [KillClaim(test=test, mutants=tuple(proposal.open), is_needed=False) for test in proposed]
    kept, result = await filter_tests(subject, place.path, writer, claims, proposal.open)
    chosen = _chosen(kept)
    rejected = [
        f"{test.name}, by {author.model.name}: {_why(result, writer.within_file(test.name))}"
        for test in proposed
        if test.name not in chosen
    ]
    return _rejecting(_merged(proposal, proposed, chosen, author.model.name), rejected)


def _chosen(kept: Mapping[str, Sequence[int]]) -> dict[str, set[int]]:
    """Return the tests that notice most, each with the mutants that it adds to those before it."""
    chosen: dict[str, set[int]] = {}
    seen: set[int] = set()
    while len(chosen) < MAX_KEPT:
        name = max(kept, key=lambda one: len(set(kept[one]) - seen), default="")
        gain = set(kept.get(name, ())) - seen
        if not gain:
            break
        chosen[name] = gain
        seen |= gain
    return chosen


def _why(result: GateResult, within: str) -> str:
    said = result.wrong.get(within) or result.problem
    if said.startswith("call failed"):
        return f"claims otherwise: {said.removeprefix('call failed').strip(' :')}"
    return said or "it notices nothing that no other test does"


def _rejecting(proposal: TestProposal, rejected: Sequence[str]) -> TestProposal:
    claiming = [one for one in rejected if "claims otherwise" in one][MAX_CLAIMS:]
    shown = tuple(one for one in rejected if one not in claiming)
    return replace(proposal, written=replace(proposal.written, rejected=(*proposal.written.rejected, *shown)))


def _merged(
    proposal: TestProposal, proposed: Sequence[NewTest], chosen: Mapping[str, set[int]], author: str
) -> TestProposal:
    """Return a proposal with further tests."""
    writer = proposal.writer
    assert writer is not None  # the tests ran in its file
    more = [test for test in proposed if test.name in chosen]
    told = [
        WrittenTest(
            id=writer.node_id(test.name),
            name=test.name,
            source=writer.source(test),
            call=test.body.assertions[0].lines[-1].strip(),
            result="holds today",
            notices=len(chosen[test.name]),
            lines=tuple(sorted({proposal.lines[number] for number in chosen[test.name]})),
            branches=(),
            author=author,
        )
        for test in more
    ]
    noticed = set().union(*chosen.values()) if chosen else set()
    written = replace(
        proposal.written,
        tests=(*proposal.written.tests, *told),
        noticed_after=proposal.written.noticed_after + len(noticed),
        reason="" if told else proposal.written.reason,
    )
    left = {number: edits for number, edits in proposal.open.items() if number not in noticed}
    return replace(proposal, written=written, tests=(*proposal.tests, *more), open=left)


def _prompt(proposal: TestProposal, subject: Subject, author: TestAuthor) -> str:
    span = subject.target.span
    known = [test.source for test in proposal.written.tests]
    if proposal.place is not None and proposal.place.text:
        known.insert(0, shortened(proposal.place.text, MAX_FILE_CHARACTERS))
    return author.templates.fill(
        "write-tests",
        python=author.python,
        name=subject.target.qualname,
        path=subject.path,
        code=fenced(subject.text[span.start : span.end]),
        file=fenced(shortened(subject.text, MAX_FILE_CHARACTERS)),
        tests=fenced("\n".join(known)) if known else "",
        unnoticed="\n".join(_changes(proposal, subject.text)),
    )


def _changes(proposal: TestProposal, text: str) -> list[str]:
    """Return some changes that are not noticed, each by its line before and after."""
    found = []
    for number, edits in sorted(proposal.open.items())[:MAX_SHOWN_CHANGES]:
        line = proposal.lines[number]
        before = text.splitlines()[line - 1].strip()
        after = _changed(text, edits).splitlines()
        now = after[line - 1].strip() if line <= len(after) else ""
        found.append(f"- line {line}: `{before}` -> `{now}`")
    return found


def _changed(text: str, edits: Sequence[TextEdit]) -> str:
    try:
        changed = apply_edits(text, edits)
        ast.parse(changed)
    except (ValueError, SyntaxError):
        return text
    return changed
