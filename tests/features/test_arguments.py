"""The arguments of commands and of our own methods, as JSON may hold them."""

from __future__ import annotations

from typing import Any

import pytest
from pygls.exceptions import JsonRpcInvalidParams

from certo.features.arguments import read
from certo.protocol.candidates import ApplyParams
from certo.protocol.commands import SearchArguments


@pytest.mark.parametrize("given", [{"v": 1, "searchId": "\ud800"}, {"v": 1, "searchId": "a", "\udfff": 1}])
def test_half_a_character_is_no_text(given: dict[str, object]) -> None:
    with pytest.raises(JsonRpcInvalidParams, match="half a character"):
        read("certo.cancel", SearchArguments, given)
    assert read("certo.cancel", SearchArguments, {"v": 1, "searchId": "🪙"}).search_id == "🪙"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"hunks": []}, "apply: argument 'hunks' = []: list should have at least 1 item, not 0"),
        ({"hunks": 1}, "apply: argument 'hunks' = 1: input should be a valid list"),
        ({"hunk": 1}, "apply has no argument 'hunk'; it knows searchId, candidateId, hunks, version"),
        ({"candidateId": None}, "apply: argument 'candidateId' = None: input should be a valid string"),
    ],
)
def test_an_argument_that_is_wrong_is_named(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(JsonRpcInvalidParams) as refused:
        read("apply", ApplyParams, {"searchId": "5f0c2a9e", "candidateId": "6a3e1a60582d", **given})
    assert str(refused.value) == sentence
