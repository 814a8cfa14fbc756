"""Code actions: what certo offers on a function, answered from memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lsprotocol import types

from certo.features.convert import lsp_position
from certo.features.desk import Desk
from certo.features.documents import PYTHON, Document
from certo.features.wording import praise, running_for, short_name
from certo.sessions.searches import LiveSearch
from certo.vocabulary.problem import Target

QUICK_FIX = "quickfix.certo"
REWRITE = "refactor.rewrite.certo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Where the actions are asked for: the document, the function there if any, and its searches."""

    document: Document
    target: Target | None
    searches: tuple[LiveSearch, ...]
    accepting: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One thing to do: its title, and the command with its argument; or the reason why it cannot be done."""

    title: str
    command: str
    argument: dict[str, object]
    disabled: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: what it offers at a scene, and whether also when the user did not ask.

    An editor asks by itself whenever the cursor moves; then only what is under way already is worth a sign.
    """

    offers: Callable[[Scene], Iterator[Offer]]
    unasked: bool = False


def _stop(scene: Scene) -> Iterator[Offer]:
    for live in scene.searches:
        if live.running:
            yield _of_search(live, f"stop (running {running_for(live)})", "certo.cancel")


def _accept(scene: Scene) -> Iterator[Offer]:
    for live in scene.searches:
        for row in live.board.ranked() if live.id not in scene.accepting else ():
            yield _of_search(live, f"accept #{row.number} — {praise(row)}", "certo.accept", row.candidate_id)


def _show_diff(scene: Scene) -> Iterator[Offer]:
    for live in scene.searches:
        for row in live.board.ranked():
            yield _of_search(live, f"show diff of #{row.number}", "certo.showDiff", row.candidate_id)


def _retry(scene: Scene) -> Iterator[Offer]:
    for live in scene.searches:
        if not live.running:
            yield _of_search(live, "retry", "certo.retry")


def _dismiss(scene: Scene) -> Iterator[Offer]:
    for live in scene.searches:
        if not live.running:
            yield _of_search(live, "dismiss", "certo.dismiss")


def _generate(scene: Scene) -> Iterator[Offer]:
    """Offer to implement a hole or to repair a function, unless a search about it is there already."""
    document, target = scene.document, scene.target
    if document.flaw is not None:
        # The flaw names its place, which may be far from the cursor.
        argument: dict[str, object] = {"v": 1, "uri": document.uri, "version": document.version, "line": 1}
        yield Offer(title="Certo: generate", command="certo.generate", argument=argument, disabled=document.flaw)
    elif target is not None and not scene.searches:
        name = short_name(target)
        head = lsp_position(document.index, target.span.start)
        title = f"implement `{name}` and verify" if target.is_hole else f"repair `{name}` until its tests pass"
        argument = {
            "v": 1,
            "uri": document.uri,
            "version": document.version,
            "position": {"line": head.line, "character": head.character},
        }
        yield Offer(title=f"Certo: {title}", command="certo.generate", argument=argument)


ROWS = (
    Row(_stop, unasked=True),
    Row(_accept, unasked=True),
    Row(_show_diff),
    Row(_retry),
    Row(_dismiss),
    Row(_generate),
)
"""What can be offered, in the order in which it is shown."""


async def code_actions(desk: Desk, params: types.CodeActionParams) -> list[types.CodeAction | types.Command] | None:
    """Offer what can be done at a range; None when that is nothing. Nothing is ever preferred or done on save."""
    document = desk.documents.get(params.text_document.uri)
    kind = _kind(params.context)
    if document is None or document.language != PYTHON or kind is None:
        return None
    scene = _scene(desk, document, params.range)
    unasked = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
    offers = [offer for row in ROWS if row.unasked or not unasked for offer in row.offers(scene)]
    return [action for offer in offers if (action := _lsp(desk, offer, kind)) is not None] or None


def _scene(desk: Desk, document: Document, asked: types.Range) -> Scene:
    """Look where the range starts, and where it ends when no function is there."""
    target, searches = document.target_at(asked.start), desk.searches_at(document, asked.start)
    if target is None:
        target, searches = document.target_at(asked.end), desk.searches_at(document, asked.end)
    if document.flaw is not None and document.path is not None:
        # Which function is under the cursor cannot be said now, but whatever runs can be stopped.
        searches = tuple(live for live in desk.searches.of_document(document.path) if live.running)
    accepting = frozenset(live.id for live in searches if live.accepting is not None)
    return Scene(document=document, target=target, searches=searches, accepting=accepting)


def _kind(context: types.CodeActionContext) -> str | None:
    """The kind our actions have here: a quick fix where something is marked; None when no kind of ours is wanted."""
    ours = (QUICK_FIX, REWRITE) if context.diagnostics else (REWRITE,)
    if not context.only:
        return ours[0]
    # lsprotocol makes enumerations of the kinds it knows and leaves the others strings.
    wanted = [str(each.value) if isinstance(each, types.CodeActionKind) else each for each in context.only]
    return next((kind for kind in ours if any(_is_within(kind, each) for each in wanted)), None)


def _is_within(kind: str, wanted: str) -> bool:
    """Whether a kind is the one wanted or below it, as `refactor.rewrite` is below `refactor`; "" is above all."""
    return not wanted or kind == wanted or kind.startswith(f"{wanted}.")


def _of_search(live: LiveSearch, title: str, command: str, candidate_id: str | None = None) -> Offer:
    argument: dict[str, object] = {"v": 1, "searchId": live.id}
    if candidate_id is not None:
        argument["candidateId"] = candidate_id
    return Offer(title=f"Certo: {title}", command=command, argument=argument)


def _lsp(desk: Desk, offer: Offer, kind: str) -> types.CodeAction | types.Command | None:
    """An offer as the editor can take it; None for one it could not show as disabled."""
    command = types.Command(title=offer.title, command=offer.command, arguments=(offer.argument,))
    if offer.disabled is not None and not (desk.client.disabled_actions and desk.client.code_action_literals):
        return None
    if not desk.client.code_action_literals:
        return command
    return types.CodeAction(
        title=offer.title,
        kind=kind,
        command=None if offer.disabled is not None else command,
        disabled=types.CodeActionDisabled(reason=offer.disabled) if offer.disabled is not None else None,
        tags=(types.CodeActionTag.LlmGenerated,) if desk.client.generated_tag else None,
    )
