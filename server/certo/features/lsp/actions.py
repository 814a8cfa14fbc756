"""Actions that certo offers at a place, in the order in which code actions and links show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lsprotocol import types

from certo.features.editor.conversion import lsp_position
from certo.features.editor.documents import Document
from certo.presentation.phrases import SIGNS
from certo.presentation.status import praise, running_for, short_name
from certo.project.testfiles import test_named
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.verification.dynamic.fault_localization import name_of
from certo.vocabulary.problem import Target

SHOWN_FAILURES = 3
"""Maximum number of failed candidates offered if none has passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionContext:
    """Place of an action: the document, the function there if any, and its searches.

    `instructions` is True if the client asks its user for an instruction, `selected` is the selection.
    """

    document: Document
    target: Target | None
    searches: tuple[LiveSearch, ...]
    instructions: bool = False
    selected: types.Range | None = None

    @property
    def test(self) -> str | None:
        """The node id of the test that the function is or is nested in; None for any other function."""
        if self.target is None or self.document.path is None:
            return None
        return test_named(self.document.path.name, self.target.qualname)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action: its title, and a command with its argument; or the reason why it is disabled."""

    title: str
    command: str
    argument: dict[str, object]
    disabled: str | None = None


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One row of the table: its offers at a place, and if they are also made unasked.

    Editors ask by themselves whenever the cursor moves; then only running work is worth a sign.
    """

    offers: Callable[[ActionContext], Iterator[Action]]
    unasked: bool = False


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
            yield _of_search(live, f"accept #{row.number} {praise(row)}", "certo.accept", row)


def _show_diff(scene: ActionContext) -> Iterator[Action]:
    """Offer the diffs of passing candidates, or of the latest failed ones if none passed."""
    for live in scene.searches:
        ranked = live.state.ranked()
        for row in ranked:
            yield _of_search(live, f"show diff of #{row.number}", "certo.showDiff", row)
        failed = [row for row in live.state.rows.values() if row.report.failure is not None] if not ranked else []
        for row in failed[-SHOWN_FAILURES:]:
            verdict = row.report.failure
            assert verdict is not None  # or the row would not be among them
            title = f"show diff of #{row.number} {SIGNS[verdict.ruling]} {verdict.verifier}"
            yield _of_search(live, title, "certo.showDiff", row)


def _retry(scene: ActionContext) -> Iterator[Action]:
    for live in scene.searches:
        if not live.running:
            yield _of_search(live, "retry", "certo.retry")


def _dismiss(scene: ActionContext) -> Iterator[Action]:
    for live in scene.searches:
        if not live.running:
            yield _of_search(live, "dismiss", "certo.dismiss")


def _generate(scene: ActionContext) -> Iterator[Action]:
    """Offer to implement a hole or repair a function, unless there is a search about it."""
    document, target = scene.document, scene.target
    if document.flaw is not None:
        # The flaw names its place, which may be far from the cursor.
        argument: dict[str, object] = {"v": 1, "uri": document.uri, "version": document.version, "line": 1}
        yield Action(title="Certo: generate", command="certo.generate", argument=argument, disabled=document.flaw)
    elif target is not None and not scene.searches:
        name = short_name(target)
        title = f"implement `{name}` and verify" if target.is_hole else f"repair `{name}` until its tests pass"
        if scene.test is not None:
            title = f"repair what `{name_of(scene.test)}` tests"
        yield Action(title=f"Certo: {title}", command="certo.generate", argument=_argument_at(scene, target))


def _rewrite(scene: ActionContext) -> Iterator[Action]:
    """Offer to rewrite a function by instruction, if the client can ask for one and no search runs."""
    target = scene.target
    asks = scene.instructions and scene.test is None
    if asks and target is not None and not target.is_hole and not any(live.running for live in scene.searches):
        argument = {**_argument_at(scene, target), "ask": "instruction"}
        title = f"Certo: rewrite `{short_name(target)}` with verification…"
        yield Action(title=title, command="certo.generate", argument=argument)


def _argument_at(scene: ActionContext, target: Target) -> dict[str, object]:
    """Return the command argument for a function of a document, with the selection there."""
    head = lsp_position(scene.document.index, target.span.start)
    argument: dict[str, object] = {
        "v": 1,
        "uri": scene.document.uri,
        "version": scene.document.version,
        "position": _place(head),
    }
    if scene.selected is not None and scene.test is None:
        argument["range"] = {"start": _place(scene.selected.start), "end": _place(scene.selected.end)}
    return argument


def _place(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}


KINDS = (
    ActionKind(_cancel, unasked=True),
    ActionKind(_accept, unasked=True),
    ActionKind(_show_diff),
    ActionKind(_retry),
    ActionKind(_dismiss),
    ActionKind(_generate),
    ActionKind(_rewrite),
)
"""All kinds of actions, in display order."""


def _of_search(live: LiveSearch, title: str, command: str, row: CandidateState | None = None) -> Action:
    return Action(title=f"Certo: {title}", command=command, argument=argument_of(live, row))
