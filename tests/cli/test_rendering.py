"""The display of a search, from hand-made events."""

from __future__ import annotations

import io
import shlex
from dataclasses import replace

import pytest
from rich.console import Console

from certo.cli.view.card import show_diff, show_nothing, show_winner
from certo.cli.view.progress import Lines, LiveTable
from certo.cli.view.terminal import THEME
from certo.presentation.phrases import objection, quoted, reaching, sentence
from certo.search.board import SearchState
from certo.vocabulary.candidate import Observation
from certo.vocabulary.cost import Spent, Spread
from certo.vocabulary.display import visible
from certo.vocabulary.events import CandidateDeclined, Event, SearchStopped
from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, KnownTest
from certo.vocabulary.text import Hunk
from certo.vocabulary.verdict import Dependence, Finding, Report, Ruling, Verdict, Votes
from support.search.events import DIFF, board_of, told


def console(*, width: int = 80, terminal: bool = False) -> Console:
    return Console(
        file=io.StringIO(), width=width, height=30, theme=THEME, markup=False, highlight=False, force_terminal=terminal
    )


def written(on: Console) -> str:
    assert isinstance(on.file, io.StringIO)
    return on.file.getvalue()


def ended(*, outcome: Outcome, touched: bool | None = True, cold: str = "") -> tuple[SearchState, SearchStopped]:
    events = told(outcome=outcome, touched=touched, cold=cold)
    last = events[-1]
    assert isinstance(last, SearchStopped)
    return board_of(events), last


@pytest.mark.parametrize("width", [80, 120])
def test_a_winner_is_shown_with_its_evidence(width: int) -> None:
    on = console(width=width)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    show_winner(board, stopped.winner, on, next_step="certo generate a.py::f --apply")
    said = written(on)
    assert said.startswith("VERIFIED\n")
    assert DIFF in said
    assert said.count("Landlock, seccomp") == 1, "all checks ran like this, which is said once"
    assert "\n✓ syntax, tests 2/2 (1 newly)\n" in said
    assert "2 tokens added or removed in the target" in said
    assert "2 candidates, 1.5 s" in said
    assert "! tests/test_old.py fails at collection: No module named 'old'\n" in said
    assert "certo generate a.py::f --apply" in said
    assert max(map(len, said.splitlines())) <= width


def test_evidence_comes_before_checks_and_costs() -> None:
    """The order of every surface: the change, what was wrong, the rivals, the strength, the checks, and the rest."""
    on = console(width=200)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    show_winner(board, stopped.winner, on, next_step="")
    order = [DIFF, "test_exact failed: assert [50] == [50, 1].", "Your tests notice 10 of 11", "✓ syntax", "\ncost "]
    places = [written(on).index(said) for said in order]
    assert places == sorted(places)


def test_weak_tests_are_told_with_their_call() -> None:
    on = console(width=120)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    graded = GradedEvidence(
        level=EvidenceLevel.WEAK, reasons=("1 other behaviour passes these tests",), call="change(2)"
    )
    board.rows[stopped.winner.candidate_id].graded = graded
    assert stopped.winner.evidence.graded is None  # as at the end: the heading goes by what is known now
    show_winner(board, stopped.winner, on, next_step="")
    assert written(on).startswith("VERIFIED BY WEAK TESTS\n")
    settled = "The right result of `change(2)` would settle it."
    assert f"The evidence is weak: 1 other behaviour passes these tests. {settled}\n" in written(on)


def test_unfolded_checks_are_rows_with_times() -> None:
    on = console(width=100)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    show_winner(board, stopped.winner, on, next_step="", unfolded=True)
    assert "tests   ✓ passed  2 of 2 tests passed, 1 newly, changed lines executed" in written(on)
    assert "✓ syntax" not in written(on)


@pytest.mark.parametrize(("reason", "is_said"), [("no other answer passed", True), ("", False)])
def test_lone_candidate_was_compared_with_none(reason: str, *, is_said: bool) -> None:
    on = console(width=120)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert board.started is not None
    assert stopped.winner is not None
    board.rows[stopped.winner.candidate_id].uncompared = reason
    show_winner(board, stopped.winner, on, next_step="")
    assert (f"compared    with no other answer: {reason}; --strategy best_of" in written(on)) == is_said


def test_rivals_are_shown_with_ways_to_choose() -> None:
    on = console(width=120)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    results = {"bbb": ("raises TypeError: no", "0"), "ccc": ("'0'", "0"), "ddd": ("raises TypeError: no", "2")}
    for number, (known, (first, second)) in enumerate(results.items(), 2):
        board.rows[known] = replace(
            board.rows["bbb"],
            candidate_id=known,
            number=number,
            hunks=(Hunk(line=3, removed=("        due -= 1\n",), added=tuple(f"{known}\n" for _ in range(12))),),
            rival_of=None if known == "bbb" else "bbb",
            observations=(Observation(call="change('1')", result=first), Observation(call="change(2)", result=second)),
        )
    show_winner(board, stopped.winner, on, next_step="")
    said = written(on)
    assert "RIVALS: 2 candidates also pass and behave differently\n" in said
    assert "  change('1')\n    #2 #4  raises TypeError: no\n    #3     gives '0'\n" in said
    assert "  change(2)\n    #2 #3  gives 0\n    #4     gives 2\n" in said
    code = "    -        due -= 1\n" + "    +ccc\n" * 9 + "    … 3 lines more\n  #4  "
    assert code in said, "the code of each, but not all of it"
    assert """\nwhich one   if #3 is right, add --example "change('1') == '0'"\n            if #4 """ in said
    assert "if #4 is right, add --example 'change(2) == 2'\n" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [("f(1) == 2", "'f(1) == 2'"), ("f('a') == 2", "\"f('a') == 2\""), ("f('$') == 2", "'f('\"'\"'$'\"'\"') == 2'")],
)
def test_shell_arguments_are_quoted_as_needed(words: str, said: str) -> None:
    assert quoted(words) == said
    assert shlex.split(quoted(words)) == [words]


def test_criteria_show_votes_and_numbers() -> None:
    on = console(width=120)
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    votes = Votes(passed=2, valid=3, asked=3, needed=2)
    findings = (Finding(message="it is rude"),)
    verdict = Verdict(verifier="kindness", ruling=Ruling.PASSED, votes=votes, findings=findings)
    spread = Spread(criterion="clarity", values=(6.0, 7.0), aggregate=6.5, low=0.0, high=10.0)
    winner = replace(
        stopped.winner,
        evidence=replace(stopped.winner.evidence, verdicts=(*stopped.winner.evidence.verdicts, verdict)),
        cost=replace(stopped.winner.cost, spreads=(spread,)),
    )
    show_winner(board, winner, on, next_step="certo generate a.py::f --apply")
    said = written(on)
    assert "2 of 3 votes in favour, 2 needed" in said
    assert "it is rude" in said
    assert "criteria    clarity 6.5 of 10 (6, 7)\n" in said


def test_judge_without_a_vote_is_quoted() -> None:
    counted = Finding(message="failed the criterion (0/0 samples passed, need 2)")
    said = Finding(message="openai:judge: the answer says nothing clear: 'Well.'\nOr so.")
    votes = Votes(passed=0, valid=0, asked=3, needed=2)
    verdict = Verdict(verifier="kindness", ruling=Ruling.FAILED, votes=votes, findings=(counted, said, said))
    assert objection(Report(candidate_id="c", verdicts=(verdict,))) == (
        "kindness: failed the criterion (0/0 samples passed, need 2); "
        "openai:judge: the answer says nothing clear: 'Well.'"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nothing listens there", "Nothing listens there."),
        ("openai:gpt-5 was asked 3 times.", "openai:gpt-5 was asked 3 times."),
        ("search.calls = 1 is spent", "search.calls = 1 is spent."),
    ],
)
def test_sentences_keep_names_as_written(words: str, said: str) -> None:
    assert sentence(words) == said


def test_reason_for_fresh_processes_is_one_line() -> None:
    on = console(width=80)
    board, stopped = ended(outcome=Outcome.SOLVED, cold="its tests run under the policy subprocess\nand more")
    assert stopped.winner is not None
    show_winner(board, stopped.winner, on, next_step="")
    assert "ran         in fresh processes: its tests run under the policy subprocess\n" in written(on)


def test_what_no_test_exercised_is_headed_so() -> None:
    on = console(width=120)
    board, stopped = ended(outcome=Outcome.UNVERIFIED, touched=False)
    assert stopped.winner is not None
    show_winner(board, stopped.winner, on, next_step="")
    assert written(on).startswith("NOT VERIFIED: no test exercised it\n")
    assert "changed lines not executed" in written(on)


@pytest.mark.parametrize("outcome", [Outcome.EXHAUSTED, Outcome.ATTEMPTS_SPENT, Outcome.BUDGET_SPENT])
def test_without_a_winner_closest_and_advice_show(outcome: Outcome) -> None:
    on = console()
    show_nothing(*ended(outcome=outcome), on)
    said = written(on)
    assert outcome.value in said
    assert "Every mutation was tried." in said
    assert "#1   test_exact: assert [50] == [50, 1]" in said
    assert f"next        {outcome.advice}" in said


def test_lines_tell_the_header_and_each_candidate() -> None:
    on = console()
    lines, board = Lines(on), SearchState()
    for event in told():
        board.apply(event)
        lines.on_event(board, event)
    said = written(on)
    assert "repair change in till/coins.py:1" in said
    assert "2 tests reach it, 1 failing; 1 set aside" in said
    aside = "  tests set aside, failing for a reason outside the function or its change:\n    tests/test_shop.py::"
    assert f"{aside}test_network" in said
    assert "tests/test_old.py fails at collection" in said
    assert "#1  negated the condition, line 2  ✗ 1/2  test_exact: assert [50] == [50, 1]" in said
    assert "#2  comparison `>` became `>=`, line 2  ✓ 2/2  verified, 2 tokens" in said
    assert "lane 2: the same as #1 again" in said
    assert "lane 3 finished: there was no code in its answer" in said


def told_by_lines(*events: Event) -> list[str]:
    on = console()
    lines, board = Lines(on), SearchState()
    for event in events:
        board.apply(event)
        lines.on_event(board, event)
    return written(on).splitlines()


def ending_of(slot: int, reason: str) -> CandidateDeclined:
    return CandidateDeclined(seq=slot + 1, search="5eac", at=0.0, slot=slot, attempt=0, reason=reason)


def stopping(reason: str) -> SearchStopped:
    none = {"verified": False, "winner": None, "spent": Spent()}
    return SearchStopped(seq=9, search="5eac", at=1.0, outcome=Outcome.EXHAUSTED, reason=reason, **none)


def test_lanes_that_ended_alike_share_a_line() -> None:
    events = [ending_of(slot, "too late" if slot == 1 else "no such key") for slot in range(4)]
    assert told_by_lines(*events, stopping("time is up")) == [
        "lanes 1, 3 and 4 finished: no such key",
        "lane 2 finished: too late",
    ]


def test_reason_of_the_outcome_is_not_repeated() -> None:
    events = [ending_of(slot, "too late" if slot == 1 else "no such key") for slot in range(3)]
    assert told_by_lines(*events, stopping("no such key")) == ["lane 2 finished: too late"]


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits_at_every_moment(width: int) -> None:
    view, plain = LiveTable(console(width=width, terminal=True)), console(width=width)
    board = SearchState()
    for event in told():
        board.apply(event)
        view.on_event(board, event)
        plain.print(view.render())
    view.close()
    assert max(map(len, written(plain).splitlines())) <= width
    assert "✓✗" in written(plain)
    assert "verified" in written(plain)
    assert "lane 2: openai:gpt-5-mini is writing, 4 lines so far …" in written(plain)
    assert "negated the condition, line 2, 2 times" in written(plain) or width == 80


def test_colour_is_left_out_when_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    board, stopped = ended(outcome=Outcome.SOLVED)
    assert stopped.winner is not None
    coloured = console(terminal=True)
    show_winner(board, stopped.winner, coloured, next_step="")
    assert "\x1b[32m" in written(coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    plain = console(terminal=True)
    show_winner(board, stopped.winner, plain, next_step="")
    assert "\x1b[32m" not in written(plain)


def test_escapes_in_test_output_are_made_visible() -> None:
    assert visible("\x1b]0;title\x07 a\r\nb\tc") == "\\x1b]0;title\\x07 a\nb\tc"


def test_diff_on_a_terminal_hides_no_characters() -> None:
    shown = console(terminal=True)
    show_diff("+    return x  # \u202eti si siht\u2066 \u200b\n", shown)
    assert "# \\u202eti si siht\\u2066 \\u200b" in written(shown)


@pytest.mark.parametrize(
    ("rulings", "said"),
    [
        ((), "no test reaches it"),
        ((Ruling.PASSED,), "1 test reaches it, passing"),
        ((Ruling.FAILED,), "1 test reaches it, failing"),
        ((Ruling.PASSED, Ruling.PASSED), "2 tests reach it, all passing"),
        ((Ruling.PASSED, Ruling.FAILED, Ruling.FAILED), "3 tests reach it, 2 failing"),
        ((Ruling.UNDECIDED,), "1 test reaches it, without a result"),
        ((Ruling.PASSED, Ruling.FAILED, Ruling.UNDECIDED), "3 tests reach it, 1 failing, 1 without a result"),
    ],
)
def test_how_tests_reach_the_target(rulings: tuple[Ruling, ...], said: str) -> None:
    tests = tuple(KnownTest(id=str(number), ruling=ruling) for number, ruling in enumerate(rulings))
    assert reaching(Baseline(tests=tests)) == said


def test_examples_are_counted_apart_from_tests() -> None:
    ids = ("tests/test_a.py::test_f", "doctest:a.py::f:1", "doctest:a.py::f:2")
    tests = tuple(KnownTest(id=each, ruling=Ruling.FAILED) for each in ids)
    assert reaching(Baseline(tests=tests)) == "1 test and 2 examples reach it, all failing"
    assert reaching(Baseline(tests=tests[1:2])) == "1 example reaches it, failing"


def test_passing_without_evidence_is_no_success() -> None:
    board, stopped = ended(outcome=Outcome.UNVERIFIED)
    assert stopped.winner is not None
    missing = Dependence(noticed=0, reason="no test depends on what f returns")
    verdict = Verdict(verifier="evidence", ruling=Ruling.PASSED, dependence=missing)
    evidence = replace(stopped.winner.evidence, verdicts=(*stopped.winner.evidence.verdicts, verdict))
    on = console(width=100)
    show_winner(board, replace(stopped.winner, evidence=evidence), on, next_step="")
    assert "evidence  ? not verified" in written(on)
