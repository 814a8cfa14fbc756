"""Advice for strategies: new ideas, and choices among ideas, from a language model or else by rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from certo.generation.adviser import Adviser, IdeaRequest, IdeaSummary, SelectionRequest
from certo.generation.generator import Proposer
from certo.search.experiment import SearchNode
from certo.vocabulary.errors import BudgetExhausted, ModelFailed


class Advice:
    """Ideas and choices that a strategy can rely on.

    Answers of a language model are checked: unknown numbers, repeated ones, and ideas beyond the number asked for do
    not count. Without an adviser, or if it does not answer, the generator is left to itself and choices go by merit.
    """

    def __init__(self, proposer: Proposer, say: Callable[[str], None]) -> None:
        """Ask `proposer` if it is an adviser; `say` takes sentences for the user."""
        self._adviser = proposer if isinstance(proposer, Adviser) else None
        self._say = say

    @property
    def has_ideas(self) -> bool:
        """True if an adviser can be asked for ideas."""
        return self._adviser is not None

    def need(self, what: str, /) -> None:
        """Tell the user what a strategy needs a language model for, if the generator is none."""
        if self._adviser is None:
            self._say(
                f"{what}, for which it takes a language model; without one each try is the generator's next candidate"
            )

    async def ideas(self, wanted: IdeaRequest, /) -> tuple[str, ...]:
        """Return at most as many ideas as are wanted, no two the same; empty ones without an adviser."""
        if self._adviser is not None:
            try:
                had = [idea.strip() for idea in await self._adviser.ideas(wanted)]
            except ModelFailed as failure:
                self._say(f"nobody had ideas, so the generator is left to itself: {failure}")
            except BudgetExhausted:
                return ()
            else:
                return tuple(dict.fromkeys(filter(None, had)))[: wanted.count]
        return ("",) * wanted.count

    async def choose(self, among: Sequence[SearchNode], choice: SelectionRequest, /) -> tuple[SearchNode, ...]:
        """Return from `least` to `most` of these nodes, the first choice first; all if at most `least`.

        If the adviser names fewer than `least`, those with the best merit are added.
        """
        if len(among) <= choice.least:
            return tuple(among)
        chosen = await self._chosen(among, choice)
        rest = sorted((node for node in among if node not in chosen), key=_by_merit, reverse=True)
        return (*chosen, *rest[: max(0, choice.least - len(chosen))])

    async def drop(self, among: Sequence[SearchNode], choice: SelectionRequest, /) -> tuple[SearchNode, ...]:
        """Return from `least` to `most` of these nodes that are to be dropped.

        If the adviser names fewer than `least`, those with the worst merit are added.
        """
        chosen = await self._chosen(among, choice)
        rest = sorted((node for node in among if node not in chosen), key=_by_merit)
        return (*chosen, *rest[: max(0, choice.least - len(chosen))])

    async def _chosen(self, among: Sequence[SearchNode], choice: SelectionRequest) -> tuple[SearchNode, ...]:
        """Return the nodes that the adviser names, without unknown and repeated ones."""
        if self._adviser is None or choice.most < 1:
            return ()
        known = {node.id: node for node in among}
        asked = replace(choice, most=min(choice.most, len(among)))
        try:
            named = await self._adviser.choose(tuple(map(sketched, among)), asked)
        except ModelFailed as failure:
            self._say(f"nobody chose among the ideas, so they go by what was reached before: {failure}")
            return ()
        except BudgetExhausted:
            return ()
        return tuple(dict.fromkeys(known[number] for number in named if number in known))[: asked.most]


def sketched(node: SearchNode) -> IdeaSummary:
    """Return a node as an adviser is shown it."""
    near = _nearest(node)
    return IdeaSummary(
        number=node.id,
        idea=node.data.idea,
        merit=near.data.merit if near is not None and near.data.score is not None else None,
        outcome=near.data.feedback if near is not None else "",
        tried=node.data.attempt is not None,
    )


def _nearest(node: SearchNode) -> SearchNode | None:
    """Return the nearest node on the way up that was tried, itself included."""
    each: SearchNode | None = node
    while each is not None and each.data.attempt is None:
        each = each.parent
    return each


def _by_merit(node: SearchNode) -> tuple[float, int, int]:
    """Return a sort key, higher is more promising."""
    # An idea that was not tried is worth what it grew from. Among siblings those of a parent with few attempts come
    # first, so that a search without an adviser does not stay at one place; then the oldest.
    near = _nearest(node)
    tried_beside = 0 if node.parent is None else sum(each.data.attempt is not None for each in node.parent.children)
    return (near.data.merit if near is not None else float("-inf")), -tried_beside, -node.id
