"""The journal's lines: an event that is written is the one that is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo.protocol.events import encode
from certo.storage.serialization import KINDS, Unreadable, event_of, line_of
from certo.vocabulary.events import Event, SearchStarted
from certo.vocabulary.problem import Baseline
from support.search.events import told
from support.search.value_strategies import any_of

_BASELINES = any_of(Baseline, policy=st.sampled_from(["strict", "forking", "subprocess", "loopback"]))
_STARTED = any_of(SearchStarted, baseline=_BASELINES)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.type)
def test_written_events_are_read_again(kind: type[Event]) -> None:
    @settings(max_examples=20)
    @given(_STARTED if kind is SearchStarted else any_of(kind))
    def law(event: Event) -> None:
        assert event_of(line_of(event)) == event

    law()


def test_a_line_is_what_clients_get() -> None:
    for event in told():
        assert json.loads(line_of(event)) == encode(event)
        assert "\n" not in line_of(event)


@pytest.mark.parametrize("line", ["", "{", '{"type":"search.dreamt"}', line_of(told()[0])[:-1] + ',"mood":1}'])
def test_what_another_version_wrote_is_unreadable(line: str) -> None:
    with pytest.raises(Unreadable):
        event_of(line)
