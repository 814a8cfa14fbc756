"""The arguments of commands and of our own methods, as JSON may hold them."""

from __future__ import annotations

import pytest
from pygls.exceptions import JsonRpcInvalidParams

from certo.features.arguments import read
from certo.protocol.commands import SearchArguments


@pytest.mark.parametrize("given", [{"v": 1, "searchId": "\ud800"}, {"v": 1, "searchId": "a", "\udfff": 1}])
def test_half_a_character_is_no_text(given: dict[str, object]) -> None:
    with pytest.raises(JsonRpcInvalidParams, match="half a character"):
        read("certo.cancel", SearchArguments, given)
    assert read("certo.cancel", SearchArguments, {"v": 1, "searchId": "🪙"}).search_id == "🪙"
