"""The laws of agreeing on a version, whatever the client says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo.features.table import FEATURES
from certo.protocol.methods import METHODS
from certo.protocol.negotiation import REQUESTS, VERSIONS, agreed, asked, said

anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.sampled_from(["certo", "versions", "model"]), inner),
    max_leaves=6,
)


@given(some.lists(some.integers(min_value=-2, max_value=5)))
def test_the_highest_common_version_wins(versions: list[int]) -> None:
    both = [version for version in versions if version in VERSIONS]
    assert agreed({"versions": versions}) == (max(both) if both else None)


@given(anything, anything)
def test_whatever_a_client_says_is_an_answer(capabilities: object, options: object) -> None:
    ours = said(capabilities, options)
    version = agreed(ours)
    assert version is None or version in (asked(ours) or ())


@pytest.mark.parametrize("versions", [None, "1", {"1": 1}, [True], ["1"], []])
def test_malformed_version_lists_agree_on_none(versions: object) -> None:
    assert agreed({"versions": versions}) is None


def test_clients_without_versions_ask_for_nothing() -> None:
    assert asked({"model": True}) is None
    assert asked({"versions": [7]}) == (7,)


def test_the_capabilities_count_more_than_the_options() -> None:
    ours = said({"experimental": {"certo": {"versions": [1]}}}, {"certo": {"versions": [2], "model": True}})
    assert ours == {"versions": [1], "model": True}


def test_what_is_announced_is_what_is_answered() -> None:
    requests = [method.name for method in METHODS if method.sender == "client" and not method.notification]
    assert list(REQUESTS) == requests
    assert {feature.method for feature in FEATURES if feature.method.startswith("certo/")} == set(requests)
