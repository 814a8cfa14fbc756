"""Listening: the same messages come out however the pipe cuts them, and nothing forged counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo.sandbox.executor import Message
from certo.sandbox.process.run_output import OutputReport, RunOutput, read_report


@given(some.lists(some.text(), max_size=6), some.data())
def test_messages_survive_any_pipe_boundaries(texts: list[str], data: some.DataObject) -> None:
    lines = [{"tell": {"text": text}} for text in texts] + [{"end": "complete"}]
    stream = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    cuts = sorted(data.draw(some.sets(some.integers(0, len(stream)), max_size=8)))
    told: list[Message] = []
    ears = RunOutput(tell=told.append, room=1 << 20)
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        ears.hear_said(stream[start:stop])
    assert [message["text"] for message in told] == texts
    assert (ears.how, ears.garbled) == ("complete", False)
    assert ears.room == (1 << 20) - len(stream)


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"[1]", b'{"tell": 1}', b'{"end": 1}', b"\xff", b"[" * 100_000, b"9" * 10_000, b'{"tell": {'],
    ids=str,
)  # fmt: skip
def test_malformed_lines_end_all_trust(line: bytes) -> None:
    """No message counts from there on."""
    told: list[Message] = []
    ears = RunOutput(tell=told.append, room=1 << 20)
    ears.hear_said(line + b'\n{"tell": {}}\n{"end": "complete"}\n')
    assert told == []
    assert ears.garbled


def test_nothing_comes_after_the_last_word() -> None:
    told: list[Message] = []
    ears = RunOutput(tell=told.append, room=1 << 20)
    ears.hear_said(b'{"end": "complete"}\n{"tell": {}}\n')
    assert told == []
    assert ears.garbled


@given(some.lists(some.binary(max_size=5000), max_size=5))
def test_the_end_of_printed_output_is_kept(chunks: list[bytes]) -> None:
    ears = RunOutput(tell=lambda _: None, room=1 << 20)
    for chunk in chunks:
        ears.hear_printed(chunk)
    assert ears.printed == b"".join(chunks)[-4096:]


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (b"", OutputReport()),
        (b'{"started": true}\n', OutputReport(started=True)),
        (b'{"started": true}\n{"status": -9, "cpu": 1.5}\n', OutputReport(started=True, status=-9, cpu_seconds=1.5)),
        (
            b'{"started": true}\n{"status": -9, "cpu": 1.5, "full": true}\n',
            OutputReport(started=True, status=-9, cpu_seconds=1.5, full=True),
        ),
        (b'{"started": true}\n{"status', OutputReport(started=True)),
    ],
)
def test_the_keepers_report(text: bytes, report: OutputReport) -> None:
    assert read_report(text) == report
