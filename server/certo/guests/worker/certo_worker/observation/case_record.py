"""What is kept of each test besides how it ends, where its candidate runs apart or its assertions are broken."""

from __future__ import annotations

from typing import Any, Dict


class Account:
    """One test's account: why it is no fair trial apart, and how many broken assertions it executed.

    `broken` says that its assertions are broken on purpose, so that nobody will ask why it failed.
    """

    def __init__(self, *, broken: bool = False) -> None:
        self.running = False
        self.broken = broken
        self._always = ""
        self._unsupported = ""
        self._foreign = False
        self._distrusted = False
        self._sites = 0
        self._influence = ""
        self._own = ""
        self._own_always = ""
        self._lie = ""

    def begin(self) -> None:
        """Start anew, for the next test."""
        self.running = True
        self._sites = 0
        self._foreign = False
        self._distrusted = False
        self._own = self._lie = self._influence = ""

    def unsupported(self, sentence: str) -> None:
        """Note that the tests do something that two processes cannot share; the first reason is told.

        What is done while tests are collected is done for all of them.
        """
        if self.running:
            self._unsupported = self._unsupported or sentence
        else:
            self._always = self._always or sentence

    def influences(self, sentence: str) -> None:
        """Note that the candidate did something to an object of the tests that may decide what they assert."""
        self._influence = self._influence or sentence

    def foreign(self) -> None:
        """Note that an object of the candidate's crossed, which stays in its process."""
        self._foreign = True

    def distrust(self) -> None:
        """Note that the candidate was caught in a lie: nothing is an excuse for the test any more."""
        self._distrusted = True

    def lied(self, sentence: str) -> None:
        """Note that the candidate was caught in a lie, and in which."""
        self.distrust()
        self._lie = self._lie or sentence

    def decides(self, operator: str) -> None:
        """Note that an operator of the candidate's own decided; the first is told."""
        if self.running:
            self._own = self._own or operator
        else:
            self._own_always = self._own_always or operator

    def site(self) -> None:
        """Note that an assertion was executed that is broken on purpose."""
        self._sites += 1

    def excuse(self) -> str:
        """Return why what cannot be collected may be none the worse for it, or nothing."""
        foreign = "objects that stay in the candidate's process are handled while tests are collected"
        return self._always or (foreign if self._foreign else "")

    def told(self) -> Dict[str, Any]:
        """Return what is told of the test that ended."""
        self.running = False
        told = {"carried": self._unsupported or self._always, "foreign": self._foreign, "sites": self._sites}
        told.update(own=self._own or self._own_always, lie=self._lie, influence=self._influence)
        if self._distrusted:
            told.update(carried="", foreign=False)
        self._unsupported = ""
        return told
