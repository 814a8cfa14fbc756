"""Handing the `initialize` that was answered from plain JSON on to pygls."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from typing import Any

from cattrs import Converter
from lsprotocol import types

from certo.daemon.capabilities import position_encoding
from certo.daemon.envelope import Message

logger = logging.getLogger(__name__)


def initialize_request(params: Message, converter: Converter) -> types.InitializeRequest:
    """Make LSP's type of params that passed the handshake.

    The client has its answer and cannot be refused any more, so a part that LSP's types do not allow is left out, with
    a line in the log. The position encoding is the one that was answered.
    """
    capabilities = params["capabilities"]
    assert isinstance(capabilities, dict)  # the handshake has seen to it
    legible = _legible(capabilities, lambda part: converter.structure(part, types.ClientCapabilities), {})
    general = legible.get("general") or {}
    legible["general"] = {**general, "positionEncodings": [position_encoding(capabilities)]}
    rest = {name: value for name, value in params.items() if name != "capabilities"}
    rest = _legible(rest, lambda part: converter.structure(part, types.InitializeParams), {"capabilities": {}})
    structured = converter.structure({**rest, "capabilities": legible}, types.InitializeParams)
    return types.InitializeRequest(id=f"replay:{uuid.uuid4()}", params=structured)


def _legible(
    parts: dict[str, Any], structure: Callable[[dict[str, Any]], object], required: dict[str, Any]
) -> dict[str, Any]:
    """Those of `parts` that can be structured."""
    kept = {}
    for name, value in parts.items():
        try:
            structure({**required, name: value})
        except Exception:  # cattrs raises whatever the classes it calls raise
            logger.warning("left out %s of initialize: it is not what LSP says it is", name, exc_info=True)
        else:
            kept[name] = value
    return kept
