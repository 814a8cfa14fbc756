"""A generator: it proposes two bodies for a function that halves a number, and then says that it has no more."""

from contextlib import asynccontextmanager

from certo.generators import Declined, Proposal, TextEdit


class Halving:
    """Proposes each way to halve `n` once."""

    name = "halving"

    @asynccontextmanager
    async def open(self, problem, say):
        """Start work on one problem; leaving the context ends it."""
        self.body = problem.target.body
        self.left = iter(["return n / 2", "return n // 2"])
        yield self

    async def propose(self, ask):
        """Return the next candidate as edits of the function, or the reason why there is none."""
        body = next(self.left, None)
        if body is None:
            return Declined(reason="there is no third way to halve")
        return Proposal(edits=(TextEdit(self.body, body),), note=body)


def build(surroundings):
    """Return a generator. The entry point names this function; certo calls it once a search.

    `surroundings` has the executor, the interpreter, the language models and the seed, for generators that need them.
    """
    return Halving()
