"""The contract of a memory that prompts draw upon: what is known of the project, within so many characters."""

from __future__ import annotations

from typing import Protocol

from certo.vocabulary.problem import Problem


class Recollection(Protocol):
    """Remembers what earlier searches found out about a project, and what it looks like."""

    async def text(self, problem: Problem, characters: int, /) -> str:
        """What is worth knowing for a problem, at most so long; empty where there is nothing.

        It is a help and no more, so this does not fail. The same is answered however often it is asked.
        """
        ...


class NoRecollection:
    """Remembers nothing."""

    async def text(self, problem: Problem, characters: int, /) -> str:  # noqa: ARG002 - there is nothing to say
        """Nothing."""
        return ""
