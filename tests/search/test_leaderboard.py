"""The leaderboard alone: who is best does not depend on who was judged first."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from certo.generation.generator import Attempt
from certo.search.judgement import JudgedCandidate
from certo.search.leaderboard import Leaderboard
from certo.vocabulary.candidate import Candidate, Origin, Standing
from certo.vocabulary.cost import Cost
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling, TestEvidence, Verdict

TOUCHED = TestEvidence(collected=1, ran=1, passed=1, failed=0, skipped=0, touched=True)


def judged(number: int, cost: float | None, *, verified: bool = True, score: float = 0.0) -> JudgedCandidate:
    """A judged candidate that passed if it has a cost; its id tells its number."""
    ruling = Ruling.FAILED if cost is None else Ruling.PASSED
    evidence = replace(TOUCHED, touched=verified)
    name = f"c{number}"
    attempt = Attempt(
        candidate=Candidate(id=name, edits=(), text="", origin=Origin(generator="own")),
        report=Report(candidate_id=name, verdicts=(Verdict(verifier="tests", ruling=ruling, tests=evidence),)),
    )
    return JudgedCandidate(
        number=number,
        attempt=attempt,
        cost=None if cost is None else Cost(value=cost, unit="lines", source="size"),
        score=Score(value=score, unit="points", source="test"),
        spent=None,
    )


CANDIDATES = st.lists(
    st.tuples(st.sampled_from([None, 1.0, 2.0]), st.booleans(), st.sampled_from([0.0, 1.0])), max_size=8
).map(lambda made: [judged(n, cost, verified=sure, score=score) for n, (cost, sure, score) in enumerate(made)])


@given(candidates=CANDIDATES, scores_count=st.booleans(), data=st.data())
def test_order_of_judging_changes_no_rank(candidates, scores_count, data):
    """The last place that is given for the best is 1, and both boards sort all candidates alike."""
    boards = [Leaderboard(scores_count=scores_count) for _ in range(2)]
    for board, order in zip(boards, (candidates, data.draw(st.permutations(candidates))), strict=True):
        best = None
        for each in order:
            place = board.add(each)
            assert (place is None) == (each.cost is None)
            if place is not None:
                assert board.ranked[place.place - 1] is each.attempt
                assert place.of == len(board.ranked)
                assert place.is_best == (place.place == 1)
                best = each.attempt if place.is_best else best
        assert board.best is best
        assert board.best is (board.ranked[0] if board.ranked else None)
    assert boards[0].ranked == boards[1].ranked


def test_verified_beats_score_beats_cost():
    board = Leaderboard(scores_count=True)
    verified = judged(2, 9.0)
    scored = judged(1, 5.0, verified=False, score=1.0)
    cheap = judged(0, 1.0, verified=False)
    for each in (cheap, scored, verified):
        board.add(each)
    assert board.ranked == (verified.attempt, scored.attempt, cheap.attempt)


def test_scores_of_certo_itself_do_not_count():
    board = Leaderboard(scores_count=False)
    cheap, scored = judged(0, 1.0), judged(1, 5.0, score=1.0)
    board.add(scored)
    board.add(cheap)
    assert board.best is cheap.attempt


def test_agreement_comes_before_cost():
    board = Leaderboard(scores_count=False)
    alone, common = judged(0, 1.0), judged(1, 5.0)
    for each in (alone, common):
        board.add(each)
    place = board.agree({"c0": 2, "c1": 1})
    assert place is not None
    assert (place.candidate_id, place.place, place.of, place.is_best) == ("c1", 1, 2, True)
    assert board.agree({"c0": 2, "c1": 1}) is None


def test_standing_is_kept_with_the_candidate():
    board = Leaderboard(scores_count=False)
    first, rival = judged(0, 5.0), judged(1, 1.0)
    for each in (first, rival):
        board.add(each)
    board.stand(rival.attempt, Standing(rival_of="c0"))
    found = board.find("c1")
    assert found is not None
    assert found.attempt.candidate.rival_of == "c0"
    assert board.ranked[0] is first.attempt


def test_later_equal_candidate_can_be_preferred():
    """By rank alone the earlier one would stay the best; a dearer or an unverified one is not preferred."""
    board = Leaderboard(scores_count=False)
    first, later, dear, unverified = judged(0, 2.0), judged(1, 2.0), judged(2, 3.0), judged(3, 1.0, verified=False)
    for each in (first, later, dear, unverified):
        board.add(each)
    assert board.prefer(dear.attempt) is None
    assert board.prefer(unverified.attempt) is None
    assert board.best is first.attempt
    place = board.prefer(later.attempt)
    assert place is not None
    assert place.is_best
    assert board.best is later.attempt
