"""Record of each test beyond its result, if its candidate runs apart or its assertions are broken."""

from __future__ import annotations

from types import CodeType
from typing import Any, Callable, Dict, Optional


class CaseRecord:
    """Record of one test: the reason why it is no fair trial apart, and the number of broken assertions executed.

    `broken` means that its assertions are broken on purpose, so that the reason of a failure does not matter.
    """

    def __init__(self, *, broken: bool = False) -> None:
        self.running = False
        self.broken = broken
        self.is_gone: Callable[[], bool] = lambda: False
        """Tells whether the candidate's process is gone, or answers no more."""
        self._alone = False
        self._always = ""
        self._unsupported = ""
        self._foreign = False
        self._distrusted = False
        self._sites = 0
        self._code: Optional[CodeType] = None
        self._bare = self._missed = False
        self._influence = ""
        self._own = ""
        self._own_always = ""
        self._lie = ""

    def begin(self, code: Optional[CodeType] = None) -> None:
        """Reset the record for the next test, whose function has that code."""
        self.running = True
        self._alone = self.is_gone()
        self._code = code
        self._bare = self._missed = False
        self._sites = 0
        self._foreign = False
        self._distrusted = False
        self._own = self._lie = self._influence = ""

    def unsupported(self, sentence: str) -> None:
        """Record that the tests do something that two processes cannot share; the first reason is kept.

        A reason during collection applies to all tests.
        """
        if self.running:
            self._unsupported = self._unsupported or sentence
        else:
            self._always = self._always or sentence

    def influences(self, sentence: str) -> None:
        """Record that the candidate did something to an object of the tests that may decide their assertions."""
        self._influence = self._influence or sentence

    def foreign(self) -> None:
        """Record that an object of the candidate's was passed to the tests, and stays in its process."""
        self._foreign = True

    def distrust(self) -> None:
        """Record that the candidate lied: the test has no excuse any more."""
        self._distrusted = True

    def lied(self, sentence: str) -> None:
        """Record that the candidate lied, and the lie."""
        self.distrust()
        self._lie = self._lie or sentence

    def decides(self, operator: str) -> None:
        """Record that an operator of the candidate decided an assertion; the first is kept."""
        if self.running:
            self._own = self._own or operator
        else:
            self._own_always = self._own_always or operator

    @property
    def sites(self) -> int:
        """The number of broken assertions that the test has executed so far."""
        return self._sites

    def site(self) -> None:
        """Record the execution of a broken assertion."""
        self._sites += 1

    def misses(self) -> None:
        """Record that the test executes what no passing test does, so that its end alone says nothing."""
        self._missed = True

    def ends(self, code: Optional[CodeType] = None) -> bool:
        """True if the test has come to its end without executing a broken assertion; any `code` has to be its own."""
        is_own = code is None or code is self._code
        self._bare = self._bare or (is_own and not self._sites and not self._missed)
        return self._bare

    def excuse(self) -> str:
        """Return the reason why a failed collection may be harmless, or nothing."""
        foreign = "objects that stay in the candidate's process are handled while tests are collected"
        return self._always or (foreign if self._foreign else "")

    def told(self) -> Dict[str, Any]:
        """Return the record of the test that ended."""
        self.running = False
        told = {"carried": self._unsupported or self._always, "foreign": self._foreign, "sites": self._sites}
        told.update(own=self._own or self._own_always, lie=self._lie, influence=self._influence, bare=self._bare)
        told.update(alone=self._alone)
        if self._distrusted:
            told.update(carried="", foreign=False)
        self._unsupported = ""
        return told
