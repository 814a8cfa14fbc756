"""The capabilities of real editors, as pytest-lsp recorded them."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest_lsp
from lsprotocol.converters import get_converter

EDITORS = ("visual_studio_code", "neovim", "emacs")
"""The names of the profiles."""


def capabilities(editor: str) -> dict[str, Any]:
    """Return the `ClientCapabilities` of an editor, as JSON that the caller may change."""
    return copy.deepcopy(_recorded(editor))


@cache
def _recorded(editor: str) -> dict[str, Any]:
    recorded: dict[str, Any] = get_converter().unstructure(pytest_lsp.client_capabilities(editor))
    return recorded
