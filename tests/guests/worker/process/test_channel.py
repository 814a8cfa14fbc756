"""The channel: JSON lines, whole and in order, from the one process that opened it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo_worker.process import own_descriptors
from certo_worker.process.channel import Channel


def _close(writing: int) -> None:
    """Close a channel's end; its number may be another file's soon, which copies of this process must not close."""
    own_descriptors.release(writing)
    os.close(writing)


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(), inner, max_size=3),
    max_leaves=8,
)


@given(some.lists(some.dictionaries(some.text(), JSON, max_size=3), max_size=5))
def test_what_is_told_is_what_is_read(messages: list[dict[str, Any]]) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader:
        channel = Channel(writing)
        for message in messages:
            channel.tell(message)
        channel.end("complete")
        _close(writing)
        lines = [json.loads(line) for line in reader]
    assert lines == [*({"tell": message} for message in messages), {"end": "complete"}]


def test_values_json_cannot_carry_are_refused() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader:
        with pytest.raises(TypeError, match="not JSON serializable"):
            Channel(writing).tell({"thing": object()})
        _close(writing)
        assert reader.read() == b""


def test_started_programs_do_not_hold_the_pipe() -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    Channel(writing)
    code = f"import os; os.write({writing}, b'mine')"
    done = subprocess.run([sys.executable, "-c", code], close_fds=False, capture_output=True, check=False)
    _close(writing)
    with os.fdopen(reading, "rb") as reader:
        assert reader.read() == b""
    assert b"Bad file descriptor" in done.stderr
