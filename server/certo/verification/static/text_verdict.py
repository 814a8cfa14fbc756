"""Common parts of the verifiers that only read a candidate's text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from anyio.lowlevel import checkpoint

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.verdict import Finding, Ruling, Verdict

MAX_CANDIDATE_BYTES: Final = 1_000_000
"""Maximum size of a candidate that is read; a larger one fails, because it would block the daemon."""


async def read_verdict(verifier: str, candidate: Candidate, look: Callable[[], tuple[Finding, ...]]) -> Verdict:
    """Return a verdict from the findings of `look` in the candidate's text; none means passed.

    A SyntaxError raised by `look` becomes a finding: unreadable text does not pass. Other tasks get a turn first,
    because reading a long file blocks for tens of milliseconds.
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
