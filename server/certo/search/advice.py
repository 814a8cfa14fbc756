"""Advice on what to try: asked of a generator that has opinions, checked, and made up by rule where it has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from certo.generation.adviser import Adviser, IdeaRequest, IdeaSummary, SelectionRequest
from certo.generation.generator import Proposer
from certo.search.experiment import SearchNode
from certo.vocabulary.errors import BudgetExhausted, ModelFailed


class Advice:
    """Ideas and choices that a strategy can rely on, whoever they come from.

    Nothing that a language model says is taken on trust: numbers that were not among those it was asked about, or were
    said twice, do not count, and neither does what goes beyond the number wished for. Where there is no adviser, or
    none that answers, ideas are left to the generator and choices go by merit.
    """

    def __init__(self, proposer: Proposer, say: Callable[[str], None]) -> None:
        """Ask `proposer` where it is an adviser; `say` takes sentences for the user."""
        self._adviser = proposer if isinstance(proposer, Adviser) else None
        self._say = say

    @property
    def has_ideas(self) -> bool:
        """Whether there is somebody to have ideas."""
        return self._adviser is not None

    def need(self, what: str, /) -> None:
        """Tell the user what a strategy does with language models, where the generator is none."""
        if self._adviser is None:
            self._say(
                f"{what}, for which it takes a language model; without one each try is the generator's next candidate"
            )

    async def ideas(self, wanted: IdeaRequest, /) -> tuple[str, ...]:
        """At most as many ideas as are wanted, no two the same; empty ones where nobody has any."""
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
        """From `least` to `most` of these nodes, the first choice first; all of them where they are no more than that.

        What the adviser leaves open, to reach `least`, is made up by merit, the best first.
        """
        if len(among) <= choice.least:
            return tuple(among)
        chosen = await self._chosen(among, choice)
        rest = sorted((node for node in among if node not in chosen), key=_by_merit, reverse=True)
        return (*chosen, *rest[: max(0, choice.least - len(chosen))])

    async def drop(self, among: Sequence[SearchNode], choice: SelectionRequest, /) -> tuple[SearchNode, ...]:
        """From `least` to `most` of these nodes to be rid of; what is made up is made up by merit, the worst first."""
        chosen = await self._chosen(among, choice)
        rest = sorted((node for node in among if node not in chosen), key=_by_merit)
        return (*chosen, *rest[: max(0, choice.least - len(chosen))])

    async def _chosen(self, among: Sequence[SearchNode], choice: SelectionRequest) -> tuple[SearchNode, ...]:
        """Whom the adviser names, as far as that is of use."""
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
    """A node as an adviser is told of it."""
    near = _nearest(node)
    return IdeaSummary(
        number=node.id,
        idea=node.data.idea,
        merit=near.data.merit if near is not None and near.data.score is not None else None,
        outcome=near.data.feedback if near is not None else "",
        tried=node.data.attempt is not None,
    )


def _nearest(node: SearchNode) -> SearchNode | None:
    """The nearest node on the way up that was tried, itself included."""
    each: SearchNode | None = node
    while each is not None and each.data.attempt is None:
        each = each.parent
    return each


def _by_merit(node: SearchNode) -> tuple[float, int, int]:
    """More is more promising: what it grew from did well, few were tried there, and it was there first."""
    near = _nearest(node)
    tried_beside = 0 if node.parent is None else sum(each.data.attempt is not None for each in node.parent.children)
    return (near.data.merit if near is not None else float("-inf")), -tried_beside, -node.id
