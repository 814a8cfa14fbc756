"""The part of a search that presentation reads."""

from __future__ import annotations

from typing import Protocol

from certo.search.board import SearchState
from certo.vocabulary.problem import Target


class SearchView(Protocol):
    """A search as its reader sees it. `LiveSearch` fulfils this, so that presentation need not know sessions."""

    @property
    def id(self) -> str:
        """The search's id."""
        ...

    @property
    def state(self) -> SearchState:
        """The state of the search, folded from its events."""
        ...

    @property
    def path(self) -> str:
        """The target's file, relative to the project's root."""
        ...

    @property
    def target(self) -> Target:
        """The function that the search is about."""
        ...

    @property
    def running(self) -> bool:
        """True until the search has ended."""
        ...

    @property
    def seconds(self) -> float:
        """The time that the search has been running, or ran, in seconds."""
        ...

    @property
    def followed_by(self) -> str | None:
        """The id of the search about the next suspect, if one follows."""
        ...
