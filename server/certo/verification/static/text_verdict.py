"""The common parts of verifiers that only read the candidate's text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from anyio.lowlevel import checkpoint

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.verdict import Finding, Ruling, Verdict

MAX_CANDIDATE_BYTES: Final = 1_000_000
"""Larger candidates fail unread: they would keep the daemon busy for too long."""


async def read_verdict(verifier: str, candidate: Candidate, look: Callable[[], tuple[Finding, ...]]) -> Verdict:
    """Return a verdict from what `look` finds in the candidate's text; no findings means passed.

    A SyntaxError that `look` meets in the candidate is a finding too: what cannot be read is not let through. Others
    get their turn first, because looking at a long file takes tens of milliseconds in which nobody else has one.
    """
    await checkpoint()
    try:
        findings = too_large(candidate) or look()
    except SyntaxError as error:
        findings = (Finding(message=f"the candidate does not parse: {error.msg}", line=error.lineno),)
    except RecursionError:
        findings = (Finding(message="the candidate is too deeply nested to be read"),)
    ruling = Ruling.FAILED if findings else Ruling.PASSED
    return Verdict(verifier=verifier, ruling=ruling, findings=findings)


def too_large(candidate: Candidate) -> tuple[Finding, ...]:
    """Return a finding if the candidate is too large to be read."""
    texts = (candidate.text, *(change.after for change in candidate.elsewhere))
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    if size <= MAX_CANDIDATE_BYTES:
        return ()
    return (Finding(message=f"the candidate has {size} bytes; more than {MAX_CANDIDATE_BYTES} are not read"),)
