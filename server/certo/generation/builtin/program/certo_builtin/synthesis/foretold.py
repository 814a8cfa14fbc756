"""What the docstring itself says of an empty argument: "return None if the list is empty"."""

from __future__ import annotations

import re
from typing import Optional

_VALUE = r"(None|True|False|-?\d+|\[\]|''|\"\"|an? empty list|an? empty string)"
_WHEN = r"\b(?:if|when|in case|for)\b[^.\n]*(?:\n[^.\n]*)?\bempty\b"
_SENTENCES = (
    re.compile(r"\breturns?\s+{}[\s,]+{}".format(_VALUE, _WHEN), re.IGNORECASE),
    re.compile(r"{}[^.]*?\breturns?\s+{}".format(_WHEN, _VALUE), re.IGNORECASE),
)
_WRITTEN = {"list": "[]", "string": "''"}


def result_when_empty(prose: str) -> Optional[str]:
    """The text of what is to be returned for an empty argument; None where nothing is said of it."""
    for sentence in _SENTENCES:
        found = sentence.search(prose)
        if found:
            value = found.group(1)
            return _WRITTEN.get(value.rpartition(" ")[2].lower(), value)
    return None
