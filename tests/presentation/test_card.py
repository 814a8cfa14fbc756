"""The score card: what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.presentation.card import VerifierLine, card_of
from certo.presentation.status import ending
from certo.vocabulary.cost import Spent, Spread
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.verdict import Finding, Ruling, Verdict, Votes
from support.search.events import COST
from support.search.live_searches import live_search


async def test_verified_candidates_show_evidence_cost_and_diff() -> None:
    search = live_search()
    card = card_of(search, search.state.ranked()[0])
    assert card.heading == "Candidate #2 for half: verified by 2 tests, 1 of them newly passing"
    assert card.lines == (
        VerifierLine(sign="✓", verifier="syntax", evidence="", seconds="0.00 s", short="syntax"),
        VerifierLine(
            sign="✓",
            verifier="tests",
            evidence="2/2 passed, 1 newly passing, changed lines executed",
            seconds="0.31 s",
            short="tests 2/2 (1 newly)",
        ),
    )
    assert card.facts == (
        ("confined", "Landlock, seccomp: no network, no new processes, project read-only"),
        ("cost", "2 tokens changed"),
        ("not counted", "1 more change made no difference on 320 calls and is not counted."),
        ("found by", "builtin — comparison `>` became `>=`, line 2"),
        ("search", "2 candidates in 1.5 s"),
    )
    assert card.notes == (
        "test_exact failed: assert [50] == [50, 1]. Line 2 was `while due > 1:`, and is now `while due >= 1:`. "
        "1 test that failed passes now and 1 test passes as before.",
        "The evidence is fair: 1 test depends on it.",
        "Your tests notice 10 of 11 small changes.",
        "Line 2: no test notices if `while due >= 1:` becomes `while due >= 2:`: change(1) gives 0, would give 1.",
    )
    assert card.asides == (
        "tests/test_old.py fails at collection: No module named 'old'",
        "Tests set aside, failing for a reason outside the function or its change: tests/test_shop.py::test_network.",
    )
    assert card.diff.startswith("--- a/till/coins.py\n")


async def test_lone_answer_was_compared_with_none() -> None:
    search = live_search()
    row = search.state.ranked()[0]
    row.uncompared = "the budget covers no other answer"
    said = "with no other answer: the budget covers no other answer"
    assert ("compared", said) in card_of(search, row).facts
    assert f"It was compared {said}." in ending(search)[0]


async def test_what_ran_confined_otherwise_says_so_itself() -> None:
    search = live_search()
    row = search.state.ranked()[0]
    [ran] = [verdict for verdict in row.verdicts if verdict.tests is not None]
    assert ran.tests is not None
    loose = replace(ran.tests, isolation="seccomp: a network of its own")
    row.verdicts.append(replace(ran, verifier="forgery", tests=loose))
    card = card_of(search, row)
    assert [line.evidence.partition("2/2")[0] for line in card.lines] == ["", "", "seccomp: "]
    assert card.facts[0] == ("confined", "Landlock, seccomp: no network, no new processes, project read-only")


async def test_votes_and_numbers_stand_with_evidence() -> None:
    search = live_search()
    row = search.state.ranked()[0]
    votes = Votes(passed=2, valid=2, asked=3, needed=2)
    row.verdicts.append(
        Verdict(verifier="kindness", ruling=Ruling.PASSED, votes=votes, findings=(Finding(message="it is rude"),))
    )
    spread = Spread(criterion="clarity", values=(), aggregate=5.0, low=0.0, high=10.0, fallback=True)
    row.cost = replace(COST, spreads=(spread,))
    card = card_of(search, row)
    assert card.lines[-1].evidence == "●●◌ 2 of 2 votes in favour, 2 needed, 3 asked for; it is rude"
    assert ("criteria", "clarity 5 of 10, the middle of the scale, because no answer was usable") in card.facts


async def test_the_table_has_checks_not_run() -> None:
    search = live_search()
    row = search.state.rows["aaa"]
    del row.verdicts[1:]
    assert [(line.sign, line.verifier, line.evidence) for line in card_of(search, row).lines] == [
        ("✓", "syntax", ""),
        ("–", "tests", "not run"),
    ]
    row.judging = "tests"
    assert card_of(search, row).lines[-1] == VerifierLine(
        sign="…", verifier="tests", evidence="running now", seconds=""
    )


async def test_more_findings_than_are_shown_are_counted() -> None:
    search = live_search()
    row = search.state.ranked()[0]
    found = tuple(Finding(message=f"remark {number}") for number in range(5))
    row.verdicts.append(Verdict(verifier="lint", ruling=Ruling.FAILED, findings=found))
    assert card_of(search, row).lines[-1].evidence == "remark 0; remark 1; remark 2; and 2 more"


async def test_an_unverified_candidate_says_so_first() -> None:
    search = live_search(Outcome.UNVERIFIED, touched=False)
    card = card_of(search, search.state.ranked()[0])
    assert card.heading == "Candidate #2 for half: NOT VERIFIED, no test exercised it"
    assert "changed lines never executed" in card.lines[-1].evidence


async def test_cold_runs_have_a_line_with_reason() -> None:
    search = live_search(cold="its tests run under the policy subprocess")
    card = card_of(search, search.state.ranked()[0])
    assert card.facts[-1] == ("ran", "in fresh processes: its tests run under the policy subprocess")


async def test_a_search_that_found_nothing_says_why() -> None:
    search = live_search(Outcome.EXHAUSTED)
    failed = search.state.rows["aaa"].report.failure
    card = card_of(search, None)
    assert card.heading == "Nothing found for half"
    assert card.notes[0].startswith("The generator has no candidate to propose. Every mutation was tried.")
    assert failed is not None
    assert card.notes[1] == f"#1 tests: {failed.findings[0].message}"


async def test_a_running_search_says_what_it_does() -> None:
    assert card_of(live_search(events=1), None).notes[0].startswith("finding the interpreter · ")
    assert card_of(live_search(events=8), None).notes[0].startswith("openai:gpt-5-mini is writing, 4 lines so far · ")
    assert card_of(live_search(events=12), None).notes[0].startswith("1 candidate · checking #1: syntax · ")


@pytest.mark.acceptance(103)
async def test_use_of_models_has_a_line() -> None:
    search = live_search()
    search.state.spent = Spent(candidates=2, seconds=1.5, calls=3, tokens=4210, dollars=0.0031)
    assert ("models", "3 calls, 4,210 tokens, $0.0031") in card_of(search, search.state.ranked()[0]).facts
    failed = live_search(Outcome.BUDGET_SPENT)
    failed.state.spent = Spent(candidates=1, seconds=1.5, calls=1, tokens=10, dollars=None)
    assert card_of(failed, None).notes[-1].endswith("; 1 call, 10 tokens, price unknown.")
