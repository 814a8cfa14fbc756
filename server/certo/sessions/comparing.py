"""Comparing two candidates of a search: a call that tells them apart, when one is found."""

from __future__ import annotations

from certo.generation.builtin.distinguishing.telling_apart import Comparison, tell_apart
from certo.search.board import Row
from certo.sessions.judging import stated
from certo.sessions.live import LiveSearch


async def compare(live: LiveSearch, ours: Row, theirs: Row) -> Comparison:
    """Look for a call that two candidates answer differently, on the text that the search began with.

    Raises:
        BrokenWorld: nothing can be run here.
    """
    if ours.elsewhere or theirs.elsewhere:
        return Comparison(reason="one of them changes other files too, and only functions are compared")
    problem, world = await stated(live)
    return await tell_apart(
        problem,
        live.text_with(ours),
        live.text_with(theirs),
        executor=world.executor,
        interpreter=world.interpreter,
        seed=live.aim.settings.search.seed,
    )
