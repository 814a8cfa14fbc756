"""A wish that is sent twice leads to one search, and a key to one wish, for a day."""

from __future__ import annotations

import pytest

from certo.sessions.idempotency import KEPT_SECONDS, IdempotencyKeys
from certo.vocabulary.errors import KeyReused


def test_same_request_finds_its_search() -> None:
    keys = IdempotencyKeys()
    assert keys.find("k", "wish") is None
    keys.keep("k", "wish", "5eac")
    assert keys.find("k", "wish") == "5eac"
    assert keys.find("other", "wish") is None


def test_a_key_belongs_to_one_wish() -> None:
    keys = IdempotencyKeys()
    keys.keep("k", "wish", "5eac")
    with pytest.raises(KeyReused, match="'k' belongs to search 5eac"):
        keys.find("k", "another wish")


def test_a_key_is_forgotten_after_a_day() -> None:
    seconds = 0.0
    keys = IdempotencyKeys(now=lambda: seconds)
    keys.keep("k", "wish", "5eac")
    seconds = KEPT_SECONDS
    assert keys.find("k", "wish") == "5eac"
    seconds += 1
    assert keys.find("k", "another wish") is None
    keys.keep("l", "wish", "07e4")
    assert keys.find("k", "wish") is None
