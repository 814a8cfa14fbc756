"""The wire form of events: complete, in order, and lossless."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import get_args

import pytest
from pydantic import ValidationError

from certo.protocol.events import AnyEvent, decode, encode
from certo.protocol.events import Event as WireEvent
from certo.vocabulary.cost import Spread
from certo.vocabulary.events import CandidateScored, Event, SpeedMeasured, VerdictReached
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.speed import Growth, Speed
from certo.vocabulary.verdict import Votes
from support.search.events import COST, told

MODELS: dict[str, type[WireEvent]] = {
    get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(get_args(AnyEvent)[0])
}


def test_each_event_has_a_matching_model() -> None:
    assert {kind.type for kind in Event.__subclasses__()} == set(MODELS)
    for kind in Event.__subclasses__():
        extra = {"type", "sentence", "advice"} if kind.type == "search.stopped" else {"type"}
        assert set(MODELS[kind.type].model_fields) == {field.name for field in fields(kind)} | extra


def test_the_example_search_has_all_events() -> None:
    """But for those of the goal `faster`, which is another search."""
    assert {event.type for event in told()} | {SpeedMeasured.type} == set(MODELS)


@pytest.mark.parametrize("growth", [None, Growth(before=1.9, after=1.1)])
def test_measured_speed_survives_the_wire(growth: Growth | None) -> None:
    speed = Speed(ratio=49.8, low=45.6, high=52.1, control=1.0, rounds=8, scale=128.0, observed=0.83, growth=growth)
    event = SpeedMeasured(seq=3, search="5eac", at=0.1, candidate_id="6a3e", speed=speed)
    assert decode(json.dumps(encode(event))).model_dump(mode="json", by_alias=True) == encode(event)
    assert encode(event)["speed"]["growth"] == (growth and {"before": 1.9, "after": 1.1})


@pytest.mark.parametrize("event", told(), ids=lambda event: event.type)
def test_an_event_survives_the_wire(event: Event) -> None:
    line = json.dumps(encode(event))
    assert list(json.loads(line))[:4] == ["type", "seq", "search", "at"]
    assert json.loads(line)["seq"] == event.seq
    assert decode(line).model_dump(mode="json", by_alias=True) == encode(event)


def test_votes_and_numbers_survive_the_wire() -> None:
    verdict = next(event for event in told() if isinstance(event, VerdictReached))
    votes = Votes(passed=1, valid=2, asked=3, needed=2)
    sent = encode(replace(verdict, verdict=replace(verdict.verdict, votes=votes)))
    assert sent["verdict"]["votes"] == {"passed": 1, "valid": 2, "asked": 3, "needed": 2}
    scored = next(event for event in told() if isinstance(event, CandidateScored) and event.cost is not None)
    spread = Spread(criterion="clarity", values=(6.0, 7.0), aggregate=6.5, low=0.0, high=10.0)
    sent = encode(replace(scored, cost=replace(COST, spreads=(spread,))))
    assert sent["cost"]["spreads"] == [
        {"criterion": "clarity", "values": [6.0, 7.0], "aggregate": 6.5, "low": 0.0, "high": 10.0, "fallback": False}
    ]


@pytest.mark.parametrize("outcome", Outcome)
def test_outcomes_have_a_word_and_sentence(outcome: Outcome) -> None:
    last = encode(told(outcome=outcome)[-1])
    assert last["outcome"] == outcome.name.lower().replace("_", "-")
    assert last["sentence"] == outcome.value


def test_the_last_line_has_winner_and_evidence() -> None:
    last = encode(told()[-1])
    assert last["type"] == "search.stopped"
    assert last["verified"] is True
    winner = last["winner"]
    assert set(winner) == {"candidateId", "diff", "source", "evidence", "cost", "elsewhere"}
    assert winner["evidence"]["verified"] is True
    assert winner["evidence"]["verdicts"][1]["tests"]["newlyPassing"] == 1
    assert encode(told(outcome=Outcome.EXHAUSTED)[-1])["winner"] is None


def test_what_was_not_asked_for_is_refused() -> None:
    line = encode(told()[0]) | {"mood": "good"}
    with pytest.raises(ValidationError, match="mood"):
        decode(json.dumps(line))
