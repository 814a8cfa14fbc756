"""Connections of one process share the converter, and no state."""

from __future__ import annotations

import pytest
from lsprotocol import types

from certo.daemon.pygls_fixes import make_converter
from certo.daemon.server import Server


def test_connections_share_only_the_converter() -> None:
    """Its generated code is never freed, so there is one converter for all connections."""
    one, other = Server(), Server()
    assert one.converter is other.converter
    assert one.protocol is not other.protocol
    assert one.protocol.life is not other.protocol.life


def test_text_instead_of_array_is_one_error() -> None:
    # One error for every letter would be a group of exceptions.
    with pytest.raises(TypeError):
        make_converter().structure({"diagnostics": "x" * 100_000}, types.CodeActionContext)
