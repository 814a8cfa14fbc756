"""A criterion as a verifier: the judge sees only the code or what is asked for, and failures stay apart.

Judges of several candidates speak at once, and one that fails takes no other candidate with it. One sample is a vote
like many.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo.criteria.aggregation import Decision
from certo.criteria.combination import AllOf
from certo.criteria.criterion import Gate
from certo.criteria.prompts import Field
from certo.criteria.qualitative import QualitativeCriteria
from certo.edits.patch import apply_edits
from certo.edits.target import ByName, find_target
from certo.verification.criteria import CriterionVerifier
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.errors import BudgetExhausted, ModelFailed
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Report, Ruling, Verdict, Votes
from support.models.scripted_judges import FENCED, Judge, Says
from support.search.text_verifiers import Wants

pytestmark = pytest.mark.acceptance(29, 33)

TEXT = '''\
SECRET = "not the judge's business"


class Till:
    @property
    def total(self):
        """Add up."""
        return 0

    def other(self):
        return 1
'''
DOWN = ModelFailed("judge: the provider is down")


def problem() -> Problem:
    target = find_target(TEXT, ByName("Till.total"), path="till.py")
    return Problem(
        root=Path("/project"), path="till.py", text=TEXT, target=target, goal=Goal.REWRITE, instruction="Add up."
    )


def candidate(body: str = "return sum(self.prices)") -> Candidate:
    edits = (TextEdit(problem().target.body, body),)
    text = apply_edits(TEXT, edits)
    return Candidate(id=candidate_id(TEXT, text), edits=edits, text=text, origin=Origin(generator="planned"))


async def said_by(*answers: Any, **parameters: Any) -> Verdict:
    gate = QualitativeCriteria("Is it kind?", Judge(*answers), len(answers), name="kindness", **parameters)
    return await CriterionVerifier(gate).judge(candidate(), problem())


async def test_met_criteria_pass_with_votes_and_reasons() -> None:
    verdict = await said_by(
        '{"reason": "it adds up", "verdict": true}', "false", '{"reason": "clear", "verdict": true}'
    )
    assert (verdict.verifier, verdict.ruling) == ("kindness", Ruling.PASSED)
    assert verdict.votes is not None
    assert (verdict.votes.asked, verdict.votes.needed) == (3, 1)
    verdict = await said_by('{"reason": "it adds up", "verdict": true}')
    assert [finding.message for finding in verdict.findings] == ["it adds up"]


async def test_unmet_criteria_fail_with_count_and_reasons() -> None:
    """The reasons against it come first."""
    answers = ('{"reason": "short", "verdict": true}', '{"reason": "it leaks", "verdict": false}', DOWN)
    verdict = await said_by(*answers, min_pass=2)
    assert verdict.ruling is Ruling.FAILED
    assert verdict.votes == Votes(passed=1, valid=2, asked=3, needed=2)
    assert [finding.message for finding in verdict.findings] == [
        "failed the criterion (1/2 samples passed, need 2)",
        "it leaks",
        "short",
        "judge: the provider is down",
    ]


async def test_useless_answers_fail_and_silence_does_not() -> None:
    """Silence leaves the verdict undecided."""
    verdict = await said_by("hm", DOWN)
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "insufficient valid answers of the model: 0/1"
    verdict = await said_by(DOWN, DOWN)
    assert verdict.ruling is Ruling.UNDECIDED
    assert [finding.message for finding in verdict.findings] == [
        "judge: the provider is down",
        "insufficient valid answers of the model: 0/1",
    ]
    assert not Report(candidate_id="c", verdicts=(verdict,)).passed


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        (("code",), '@property\ndef total(self):\n    """Add up."""\n    return sum(self.prices)\n'),
        (("file",), TEXT.replace("return 0", "return sum(self.prices)")),
        (("instruction",), "Add up.\n"),
        (
            ("code", "instruction"),
            '[code]\n@property\ndef total(self):\n    """Add up."""\n    return sum(self.prices)\n',
        ),
    ],
)
async def test_the_judge_sees_only_chosen_fields(fields: tuple[Field, ...], shown: str) -> None:
    judge = Judge("true")
    await CriterionVerifier(QualitativeCriteria("Is it kind?", judge), fields).judge(candidate(), problem())
    found = FENCED.search(judge.asked[0].messages[-1].text)
    assert found is not None
    assert found["inside"].startswith(shown.rstrip("\n"))
    assert ("SECRET" in found["inside"]) == ("file" in fields)


async def test_the_judge_may_see_the_change() -> None:
    judge = Judge("true")
    await CriterionVerifier(QualitativeCriteria("Is it kind?", judge), ("diff",)).judge(candidate(), problem())
    assert "-        return 0\n+        return sum(self.prices)\n" in judge.asked[0].messages[-1].text


async def test_a_combination_judges_as_well() -> None:
    gates = (QualitativeCriteria("Is it kind?", Judge("true")), QualitativeCriteria("Is it short?", Judge("no")))
    verdict = await CriterionVerifier(AllOf(*gates, name="style")).judge(candidate(), problem())
    assert (verdict.verifier, verdict.ruling) == ("style", Ruling.FAILED)
    assert verdict.votes == Votes(passed=1, valid=2, asked=2, needed=2)


async def test_failed_candidates_are_not_voted_on() -> None:
    judge = Judge("true")
    verifiers = (Wants("nothing like it"), CriterionVerifier(QualitativeCriteria("Is it kind?", judge)))
    report = await Pipeline(verifiers=verifiers).judge(
        candidate(), problem(), started=lambda _: None, reached=lambda _: None
    )
    assert not report.passed
    assert judge.asked == []


async def test_candidates_are_judged_concurrently() -> None:
    """A judge that fails harms no other sample."""
    judge = Judge(Says(text="true", waits=True), Says(error=RuntimeError("a bug in somebody's model"), waits=True))
    verifier = CriterionVerifier(QualitativeCriteria("Is it kind?", judge, 2, min_samples_for_aggregation=1))
    rulings: list[Ruling] = []

    async def rule(body: str) -> None:
        rulings.append((await verifier.judge(candidate(body), problem())).ruling)

    with anyio.fail_after(100):
        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(rule, f"return {number}")
            await anyio.wait_all_tasks_blocked()
            assert len(judge.asked) == 10
            judge.release()
    assert rulings == [Ruling.PASSED] * 5


async def test_a_criterion_that_breaks_leaves_it_open() -> None:
    class Broken(Gate):
        name = "broken"

        async def decide(self, material: str | Mapping[str, str], /) -> Decision:
            raise KeyError("oops")

    verdict = await CriterionVerifier(Broken()).judge(candidate(), problem())
    assert (verdict.ruling, verdict.findings[0].message) == (Ruling.UNDECIDED, "broken raised KeyError: 'oops'")


async def test_a_spent_budget_ends_the_judging() -> None:
    with pytest.raises(BudgetExhausted):
        await said_by(BudgetExhausted("spent"))
