"""Actions that certo offers at a place, in the order in which code actions and links show them."""

from __future__ import annotations

from collections.abc import Iterator

from certo.features.lsp.offers import STARTS, Action, ActionContext, ActionKind
from certo.presentation.edit_in_short import fix_in_short
from certo.presentation.phrases import SIGNS
from certo.presentation.status import praise, running_for
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch

SHOWN_FAILURES = 3
"""Maximum number of failed candidates offered if none has passed."""

_FURTHER = 6
"""Rank of actions on other candidates than the best one, after all that start something new."""


def offers_at(scene: ActionContext, *, unasked: bool = False) -> tuple[Action, ...]:
    """Return all offers at a place in display order."""
    return tuple(offer for kind in KINDS if kind.unasked or not unasked for offer in kind.offers(scene))


def argument_of(live: LiveSearch, row: CandidateState | None = None) -> dict[str, object]:
    """Return the command argument for a search, or one of its candidates."""
    about: dict[str, object] = {"v": 1, "searchId": live.id}
    return about if row is None else about | {"candidateId": row.candidate_id}


def _cancel(scene: ActionContext) -> Iterator[Action]:
    for live in scene.searches:
        if live.running:
            yield _of_search(live, f"cancel (running {running_for(live)})", "certo.cancel")


def _accept(scene: ActionContext) -> Iterator[Action]:
    for live in scene.searches:
        for row in live.state.ranked() if live.acceptance.accepting is None else ():
            is_best = row is live.state.best_row
            title = f"accept #{row.number} {praise(row)}"
            if is_best and live.resolved.request.ambient:
                title = f"accept the verified {fix_in_short(row.hunks)}"
            yield _of_search(live, title, "certo.accept", row, rank=0 if is_best else _FURTHER)


def _show_diff(scene: ActionContext) -> Iterator[Action]:
    """Offer the diffs of passing candidates, or of the latest failed ones if none passed."""
    for live in scene.searches:
        ranked = live.state.ranked()
        for row in ranked:
            rank = 1 if row is live.state.best_row else _FURTHER
            yield _of_search(live, f"show diff of #{row.number}", "certo.showDiff", row, rank=rank)
        failed = [row for row in live.state.rows.values() if row.report.failure is not None] if not ranked else []
        for row in failed[-SHOWN_FAILURES:]:
            verdict = row.report.failure
            assert verdict is not None  # or the row would not be among them
            title = f"show diff of #{row.number} {SIGNS[verdict.ruling]} {verdict.verifier}"
            rank = 1 if row is failed[-1] else _FURTHER
            yield _of_search(live, title, "certo.showDiff", row, rank=rank)


def _retry(scene: ActionContext) -> Iterator[Action]:
    for live in scene.searches:
        if not live.running and not live.resolved.request.ambient:
            yield _of_search(live, "retry", "certo.retry", rank=2)


def _dismiss(scene: ActionContext) -> Iterator[Action]:
    for live in scene.searches:
        if not live.running:
            yield _of_search(live, "dismiss", "certo.dismiss", rank=2)


KINDS = (
    ActionKind(_cancel, unasked=True),
    ActionKind(_accept, unasked=True),
    ActionKind(_show_diff),
    ActionKind(_retry),
    ActionKind(_dismiss),
    *STARTS,
)
"""All kinds of actions, in display order."""


def _of_search(
    live: LiveSearch, title: str, command: str, row: CandidateState | None = None, *, rank: int = 0
) -> Action:
    return Action(title=f"Certo: {title}", command=command, argument=argument_of(live, row), rank=rank)
