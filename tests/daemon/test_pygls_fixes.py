"""What all conversations of a process share, and what they do not."""

from __future__ import annotations

import pytest
from lsprotocol import types

from certo.daemon.pygls_fixes import make_converter
from certo.daemon.server import Server


def test_conversations_share_the_converter_alone_whose_code_is_never_freed() -> None:
    one, other = Server(), Server()
    assert one.converter is other.converter
    assert one.protocol is not other.protocol
    assert one.protocol.life is not other.protocol.life


def test_a_long_text_in_the_place_of_an_array_is_one_error_and_not_as_many_as_it_has_letters() -> None:
    # With one for every letter it would be a group of exceptions.
    with pytest.raises(TypeError):
        make_converter().structure({"diagnostics": "x" * 100_000}, types.CodeActionContext)
