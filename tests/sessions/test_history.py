"""Whoever comes late or falls behind gets the rest of a search's events, in order, and no draft that was replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.sessions.history import History
from certo.vocabulary.events import CandidateDeclined, CandidateDrafted, CandidateWritten, Event, GeneratorReported

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
def test_events_come_in_order_without_drafts(taken, seq):
    """Events since a number come in order, and only replaced drafts are missing."""
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


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=3), st.integers(0, 4), st.integers(0, 1)), min_size=1))
def test_last_written_event_is_whole_answer(taken):
    history, answers = History(), ["", ""]
    for seq, (text, back, slot) in enumerate(taken, 1):
        at = max(0, len(answers[slot]) - back)
        answers[slot] = answers[slot][:at] + text
        written = CandidateWritten(
            seq=seq, search="s", at=0.0, slot=slot, attempt=0, model="m", at_character=at, text=text
        )
        history.append(written)
    kept = {event.slot: event for event in history.since(0) if isinstance(event, CandidateWritten)}
    assert {slot: (event.at_character, event.text) for slot, event in kept.items()} == {
        slot: (0, answer) for slot, answer in enumerate(answers) if answer
    }
    assert len(history.since(0)) == len(kept)
    assert history.last == len(taken)
