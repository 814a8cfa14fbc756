"""Whoever comes late or falls behind gets the rest of a search's events, in order, and no draft that was replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.sessions.history import History
from certo.vocabulary.events import CandidateDeclined, CandidateDrafted, Event, GeneratorReported

Step = tuple[str, int]

steps = st.lists(st.tuples(st.sampled_from(["draft", "decline", "report"]), st.integers(0, 2)), max_size=30)


def told(seq: int, step: Step) -> Event:
    kind, slot = step
    common = {"seq": seq, "search": "s", "at": 0.0}
    match kind:
        case "draft":
            return CandidateDrafted(**common, slot=slot, attempt=0, model="m", lines=1, diff="")
        case "decline":
            return CandidateDeclined(**common, slot=slot, attempt=0, reason="none")
    return GeneratorReported(**common, message="on its way")


@given(steps, st.integers(0, 31))
def test_what_was_told_since_a_number_comes_in_order_and_only_replaced_drafts_are_missing(taken, seq):
    history, events = History(), [told(number, step) for number, step in enumerate(taken, 1)]
    for event in events:
        history.append(event)
    rest = history.since(seq)
    assert [event.seq for event in rest] == sorted({event.seq for event in rest})
    assert all(event.seq > seq for event in rest)
    missing = [event for event in events if event.seq > seq and event not in rest]
    assert all(isinstance(event, CandidateDrafted) for event in missing)
    for event in missing:
        after = events[event.seq :]
        assert any(
            isinstance(later, CandidateDrafted | CandidateDeclined) and later.slot == event.slot for later in after
        )
    assert history.last == len(events)


def test_a_history_begins_with_nothing():
    assert History().since(0) == ()
    assert History().last == 0
