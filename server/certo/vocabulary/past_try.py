"""A try of an earlier search, as far as later ones learn from it: what was changed, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from certo.vocabulary.score import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTry:
    """A candidate that was judged: in which search and as which of it, for which function, and how it did.

    `number` counts the candidates of the search from 1, `at` is when it was judged, in seconds since 1970. `idea`
    says where the candidate came from, `diff` what it changes and `failure` why it did not pass; each may be cut.
    `cost` is None for one that did not pass and where nobody knows, `score` where nobody counted; neither is 0 then.
    `ruling` is what its user said of it last, if anything (see `Feedback`), and `note` why.
    """

    search: str
    candidate: str
    number: int
    path: str
    qualname: str
    at: float
    idea: str = ""
    diff: str = ""
    failure: str = ""
    passed: bool = False
    verified: bool = False
    cost: float | None = None
    score: Score | None = None
    ruling: str = ""
    note: str = ""

    @property
    def stands(self) -> bool:
        """True if it passed and its user did not turn it down: what passed and was rejected is no success."""
        return self.passed and self.ruling not in ("rejected", "undone")

    @property
    def came_of_it(self) -> str:
        """What came of it, in words: it passed, failed, or passed and was turned down by its user."""
        if self.ruling == "rejected":
            return f"rejected by the user: {self.note}" if self.note else "rejected by the user"
        if self.ruling == "undone":
            return "accepted by the user and undone again"
        return "passed" if self.passed else f"failed {self.failure or 'before it was judged to the end'}"
