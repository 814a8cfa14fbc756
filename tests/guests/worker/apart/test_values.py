"""Values on the wire: only those of exact, well-known types are sent by value, and they arrive equal."""

from __future__ import annotations

import contextlib
import datetime
import math
import pathlib
import struct
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo_worker.apart.containers import Links
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.values import Unportable, Values


def nowhere(value: Any) -> list[Any]:
    raise Unportable(type(value).__name__)


def unknown(packed: list[Any]) -> Any:
    raise PeerFailed(f"sent {packed[0]}")


def pair() -> tuple[Values, Values]:
    return Values(Links(0), nowhere, unknown), Values(Links(1), nowhere, unknown)


def carried(value: Any) -> Any:
    import json

    ours, theirs = pair()
    return theirs.unpack(json.loads(json.dumps(ours.pack(value), allow_nan=False)))


ZONES = some.none() | some.timedeltas(
    min_value=datetime.timedelta(hours=-23), max_value=datetime.timedelta(hours=23)
).map(datetime.timezone)

ATOMS = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.integers(min_value=-(2**300), max_value=2**300)
    | some.floats(allow_nan=False)
    | some.complex_numbers(allow_nan=False)
    | some.text()
    | some.characters(categories=["Cs"])
    | some.binary()
    | some.decimals(allow_nan=False)
    | some.fractions()
    | some.dates()
    | some.times(timezones=ZONES)
    | some.datetimes(timezones=ZONES)
    | some.timedeltas()
    | some.uuids()
    | some.builds(range, some.integers(), some.integers(), some.integers(min_value=1))
    | some.builds(slice, some.none() | some.integers(), some.integers())
    | some.text(alphabet="abc/.", min_size=1).map(pathlib.PurePosixPath)
    | some.text(alphabet="abc/.", min_size=1).map(pathlib.Path)
    | some.text(alphabet="abc\\.", min_size=1).map(pathlib.PureWindowsPath)
    | some.sampled_from([..., NotImplemented])
)
KEYS = some.text() | some.integers() | some.tuples(some.dates(), some.booleans())
VALUES = some.recursive(
    ATOMS,
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.tuples(inner, inner)
        | some.dictionaries(KEYS, inner, max_size=3)
        | some.dictionaries(KEYS, inner, max_size=3).map(OrderedDict)
        | some.dictionaries(KEYS, inner, max_size=3).map(lambda found: defaultdict(list, found))
        | some.lists(KEYS, max_size=3).map(Counter)
        | some.sets(KEYS, max_size=3)
        | some.frozensets(KEYS, max_size=3)
        | some.builds(deque, some.lists(inner, max_size=3), some.none() | some.integers(min_value=3, max_value=9))
        | some.binary().map(bytearray)
    ),
    max_leaves=8,
)


def shape(value: Any) -> Any:
    """Return the exact types within a value, and the parts that equality ignores."""
    inside: list[Any] = []
    if isinstance(value, dict):
        inside = [shape(each) for each in [*value, *value.values()]]
    elif isinstance(value, list | tuple | deque):
        inside = [shape(each) for each in value]
    special = [getattr(value, name, None) for name in ("maxlen", "default_factory", "fold", "tzinfo")]
    signs = struct.pack("d", value) if type(value) is float else b""
    return type(value), inside, special, signs, sorted(map(repr, map(type, value))) if isinstance(value, set) else []


@given(VALUES)
def test_a_value_arrives_as_it_was(value: Any) -> None:
    arrived = carried(value)
    assert arrived == value
    assert shape(arrived) == shape(value)


def test_what_is_no_number_stays_none() -> None:
    assert math.isnan(carried(math.nan))


Text = type("Text", (str,), {})
Things = type("Things", (list,), {})


@pytest.mark.parametrize("value", [Text("a"), Things(), object(), int, defaultdict(Things), math])
def test_nothing_else_goes_by_value(value: Any) -> None:
    with pytest.raises(Unportable):
        pair()[0].pack([value])


def test_shared_and_recursive_references_stay_shared() -> None:
    inner: list[Any] = [1]
    inner.append(inner)
    first, second, *_ = arrived = carried([inner, inner, {"same": inner}])
    assert first is second is arrived[2]["same"] is first[1]


def test_what_nests_too_deeply_is_not_carried() -> None:
    value: Any = ()
    for _ in range(200):
        value = (value,)
    with pytest.raises(Unportable, match="nested more than"):
        pair()[0].pack(value)


@given(some.lists(some.lists(some.integers())), some.data())
def test_changes_on_one_side_reach_the_other(lists: list[list[int]], data: some.DataObject) -> None:
    ours_links, theirs_links = Links(0), Links(1)
    ours, theirs = Values(ours_links, nowhere, unknown), Values(theirs_links, nowhere, unknown)
    copy = theirs.unpack(ours.pack(lists))
    ours_links.settle()
    theirs_links.settle()
    for _ in range(data.draw(some.integers(0, 3))):
        copy.append(data.draw(some.lists(some.integers()) | some.sampled_from(copy or [[]])))
        data.draw(some.sampled_from(copy)).append(0)
    kept = list(lists)
    ours.apply_changes(theirs.pack_changes())
    assert lists == copy
    assert all(before is after for before, after in zip(kept, lists, strict=False))


NONSENSE = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: (
        some.lists(
            inner | some.sampled_from(["l", "d", "t", "z", "@", "s", "dq", "dd", "dt", "i", "sl", "np", "r", "E"])
        )
        | some.dictionaries(some.text(), inner)
    ),
)


@given(NONSENSE)
def test_nonsense_is_a_value_or_peers_failure(packed: Any) -> None:
    with contextlib.suppress(PeerFailed):
        pair()[1].unpack(packed)


@pytest.mark.parametrize(
    "packed",
    [
        ["i", "0x" + "f" * (1 << 19)],
        ["@", 4],
        ["l", 1, None, []],
        ["l", -2, None, []],
        ["l", True, None, []],
        ["dd", 0, "exec", []],
        ["dd", 0, 3, []],
        ["dd", 0, ["fn"], []],
        ["dd", 0, [], []],
        ["dq", 0, "int", []],
        ["d", 0, None, [["l", 2, None, []], 1]],
        ["ba", 0, None, [1, 2]],
        ["dt", "2020"],
        ["dt", 2020, 1, 1, 0, 0, 0, 0, ["t"], 0],
        ["pa", 3],
        ["k!", "None"],
        ["np", ["b", "gASVAAAAAA=="]],
        [["l"]],
        [],
        {},
    ],
    ids=str,
)
def test_messages_never_sent_by_us_are_refused(packed: Any) -> None:
    with pytest.raises(PeerFailed):
        pair()[1].unpack(packed)
