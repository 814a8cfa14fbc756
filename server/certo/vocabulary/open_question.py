"""Questions to the user that end a search whose examples fit more than one candidate.

They travel as the reason of an outcome, so the call that is asked about is read back from the text.
"""

from __future__ import annotations

import re

_ASKED = re.compile(r"what should (.+?) return\? Your examples ", re.DOTALL)


def question_about(call: str, *results: str) -> str:
    """Return the question about the result of a call; `results` are those of two candidates, if they are known."""
    fit = f"fit both {' and '.join(results)}" if results else "are too few to be sure of what was found"
    return f"what should {call} return? Your examples {fit}"


def asked_call(reason: str) -> str:
    """Return the call that a question is about; empty if the reason asks no such question."""
    found = _ASKED.match(reason)
    return found[1] if found else ""
