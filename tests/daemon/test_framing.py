"""Laws of frames and envelopes that hold for any bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo.daemon.framing import MAX_BODY, PARSE_ERROR, Frames, Refused, decode, encode

bodies = some.lists(some.binary(max_size=50), max_size=5)
json_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(), lambda inner: some.lists(inner), max_leaves=5
)


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@given(bodies, some.integers(min_value=1, max_value=40))
def test_bodies_survive_any_cut_of_the_stream(sent: list[bytes], chunk: int) -> None:
    stream = b"".join(map(framed, sent))
    frames = Frames()
    got: list[bytes | Refused] = []
    for start in range(0, len(stream), chunk):
        frames.feed(stream[start : start + chunk])
        got += frames.bodies()
    assert got == sent


@given(some.binary(max_size=200))
def test_reading_goes_on_after_a_bad_head(noise: bytes) -> None:
    """A head without a length is refused, and the next message is found."""
    noise = noise.replace(b"\r", b"").replace(b":", b"")
    frames = Frames()
    frames.feed(noise + b"\r\n\r\n" + framed(b"next"))
    refused, found = frames.bodies()
    assert isinstance(refused, Refused)
    assert refused.code == PARSE_ERROR
    assert found == b"next"


def test_too_long_bodies_are_skipped_unread() -> None:
    """Nothing of them is kept, and the message after them is found."""
    frames = Frames()
    frames.feed(b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 2))
    (refused,) = frames.bodies()
    assert isinstance(refused, Refused)
    assert str(MAX_BODY) in refused.message
    for _ in range(2):
        frames.feed(bytes(MAX_BODY // 2))
        assert list(frames.bodies()) == []
    frames.feed(b"xx" + framed(b"next"))
    assert list(frames.bodies()) == [b"next"]


@given(json_values)
def test_encoding_and_decoding_round_trips(params: object) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "test", "params": params}
    frames = Frames()
    frames.feed(frames.wrap(encode(message)))
    (body,) = frames.bodies()
    assert isinstance(body, bytes)
    assert decode(body) == message


@given(json_values | some.dictionaries(some.sampled_from(["jsonrpc", "id", "method", "result", "error"]), json_values))
def test_json_is_a_message_or_refused(value: object) -> None:
    own = value.get("id") if isinstance(value, dict) else None
    readable = own if isinstance(own, int | str) and not isinstance(own, bool) else None
    match outcome(json.dumps(value).encode()):
        case Refused() as refused:
            error = {"code": refused.code, "message": refused.message}
            assert refused.answer() == {"jsonrpc": "2.0", "id": readable, "error": error}
        case message:
            assert message == value


def outcome(body: bytes) -> object:
    try:
        return decode(body)
    except Refused as refused:
        return refused


def test_nan_cannot_be_sent() -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode({"result": float("nan")})


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999", b"-1e999", b"[" + b"9" * 5000 + b"]"])
def test_numbers_outside_json_or_floats_are_refused(number: bytes) -> None:
    with pytest.raises(Refused) as refused:
        decode(b'{"jsonrpc": "2.0", "id": 1, "method": "x", "params": %b}' % number)
    assert refused.value.code == PARSE_ERROR
    assert len(refused.value.message) < 200
