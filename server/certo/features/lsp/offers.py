"""Actions at a function that no search is about, and the form in which editors get actions.

Nothing here needs LSP's library or a search: the first code actions are answered before those are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from certo.edits.positions import Position
from certo.features.editor.client import Client
from certo.features.editor.documents import Document
from certo.project.testfiles import is_test_file, short_test_name, test_named
from certo.vocabulary.display import as_message
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.sessions.live import LiveSearch

QUICK_FIX = "quickfix.certo"
REWRITE = "refactor.rewrite.certo"

MORE = "certo.more"
"""Command that shows the actions which are not offered at first."""

MAX_OFFERS = 3
"""Maximum number of actions offered beside the one that shows the others."""

_GENERATE = "generate"
"""Topic of actions that implement or repair."""

_GENERATED = 1
"""LSP's tag of actions that a language model wrote."""


@dataclass(frozen=True, slots=True)
class EditorSelection:
    """Two places of a document, the same ones if nothing is selected."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionContext:
    """Place of an action: the document, the function there if any, and its searches.

    `instructions` is True if the client asks its user for an instruction, `selected` is the selection. The function
    `differs` if it has another text in the last commit. `at_problem` is True if a diagnostic was asked about. It
    `has_model` if the client's settings name a language model.
    """

    document: Document
    target: Target | None
    searches: tuple[LiveSearch, ...] = ()
    instructions: bool = False
    differs: bool = False
    at_problem: bool = False
    has_model: bool = False
    selected: EditorSelection | None = None

    @property
    def test(self) -> str | None:
        """The node id of the test that the function is or is nested in; None for any other function."""
        if self.target is None or self.document.path is None:
            return None
        return test_named(self.document.path.name, self.target.qualname)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action: its title, and a command with its argument; or the reason why it is disabled.

    `topic` is the last part of its kind, empty for actions about searches. Those of a low `rank` are offered first.
    """

    title: str
    command: str
    argument: dict[str, object]
    topic: str = ""
    rank: int = 0
    disabled: str | None = None


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One row of the table: its offers at a place, and if they are also made unasked.

    Editors ask by themselves whenever the cursor moves; then only running work is worth a sign.
    """

    offers: Callable[[ActionContext], Iterator[Action]]
    unasked: bool = False


def _generate(scene: ActionContext) -> Iterator[Action]:
    """Offer to implement a hole or repair a function, unless there is a search about it."""
    document, target = scene.document, scene.target
    if document.flaw is not None:
        # The flaw names its place, which may be far from the cursor.
        argument: dict[str, object] = {"v": 1, "uri": document.uri, "version": document.version, "line": 1}
        title = "Certo: generate"
        yield Action(title=title, command="certo.generate", argument=argument, topic=_GENERATE, disabled=document.flaw)
    elif target is not None and not scene.searches:
        name = target.short_name
        title = f"implement `{name}` and verify" if target.is_hole else f"repair `{name}` until its tests pass"
        if scene.test is not None:
            title = f"repair what `{short_test_name(scene.test)}` tests"
        yield Action(
            title=f"Certo: {title}",
            command="certo.generate",
            argument=_argument_at(scene, target),
            topic=_GENERATE,
            rank=0 if scene.at_problem else 1,
        )


def _rewrite(scene: ActionContext) -> Iterator[Action]:
    """Offer to rewrite a function by instruction, if the client can ask for one and no search runs."""
    target = scene.target
    asks = scene.instructions and scene.test is None
    if asks and target is not None and not target.is_hole and not any(live.running for live in scene.searches):
        argument = {**_argument_at(scene, target), "ask": "instruction"}
        title = f"Certo: rewrite `{target.short_name}` with verification…"
        yield Action(title=title, command="certo.generate", argument=argument, topic="instruct", rank=2)
        title = f"Certo: rewrite `{target.short_name}`, keeping behaviour…"
        keeping = {**argument, "preserve": True}
        yield Action(title=title, command="certo.generate", argument=keeping, topic="preserve", rank=5)


def _tests(scene: ActionContext) -> Iterator[Action]:
    """Offer to write tests of a function that is not one itself."""
    target, path = scene.target, scene.document.path
    if target is None or target.is_hole or path is None or scene.document.flaw is not None:
        return
    if "<locals>" in target.qualname:
        return
    if not is_test_file(path.name) and not any(live.running for live in scene.searches):
        title = f"Certo: write tests for `{target.short_name}`"
        argument = _argument_at(scene, target, with_range=False)
        yield Action(title=title, command="certo.tests", argument=argument, topic="tests", rank=3)
        if scene.has_model:
            title = f"Certo: write tests for `{target.short_name}`, with a language model"
            yield Action(
                title=title, command="certo.tests", argument={**argument, "model": True}, topic="tests", rank=6
            )


def _faster(scene: ActionContext) -> Iterator[Action]:
    """Offer to make a function faster, unless a search about it runs."""
    target = scene.target
    is_plain = target is not None and not target.is_hole and scene.test is None and scene.document.flaw is None
    if is_plain and target is not None and not any(live.running for live in scene.searches):
        title = f"Certo: make `{target.short_name}` faster"
        argument = {**_argument_at(scene, target), "goal": "faster"}
        yield Action(title=title, command="certo.generate", argument=argument, topic="faster", rank=4)


def _compare(scene: ActionContext) -> Iterator[Action]:
    """Offer to compare a function with the last commit, if it differs."""
    if scene.target is not None and scene.differs and scene.test is None:
        title = f"Certo: compare `{scene.target.short_name}` with HEAD"
        argument = _argument_at(scene, scene.target, with_range=False)
        yield Action(
            title=title, command="certo.diff", argument=argument, topic="compare", rank=1 if scene.at_problem else 0
        )


STARTS = (ActionKind(_generate), ActionKind(_rewrite), ActionKind(_faster), ActionKind(_tests), ActionKind(_compare))
"""The kinds of actions that start work on a function, in display order."""


def offered_first(
    scene: ActionContext, offers: Iterable[Action], only: Collection[str], *, menu: bool
) -> list[tuple[Action, str]]:
    """Return the offers of the wanted kinds that matter most at a place, each with its kind.

    The last one shows the others if the client has a `menu`. One offer more than the maximum takes its place, and
    a client that asks for certo's own kinds gets all.
    """
    kinds = [(offer, wanted_kind(only, offer, at_problem=scene.at_problem)) for offer in offers]
    ranked = sorted([(offer, kind) for offer, kind in kinds if kind is not None], key=lambda each: each[0].rank)
    if not menu or scene.target is None or len(ranked) <= MAX_OFFERS + 1 or _asks_for_ours(only):
        return ranked
    title = f"Certo: more for `{scene.target.short_name}`…"
    more = Action(title=title, command=MORE, argument=_argument_at(scene, scene.target))
    return [*ranked[:MAX_OFFERS], (more, ranked[0][1])]


def _argument_at(scene: ActionContext, target: Target, *, with_range: bool = True) -> dict[str, object]:
    """Return the command argument for a function of a document, with the selection there."""
    head = scene.document.index.position(target.span.start)
    argument: dict[str, object] = {
        "v": 1,
        "uri": scene.document.uri,
        "version": scene.document.version,
        "position": _place(head),
    }
    if with_range and scene.selected is not None and scene.test is None:
        argument["range"] = {"start": _place(scene.selected.start), "end": _place(scene.selected.end)}
    return argument


def _place(position: Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}


def target_of(document: Document, asked: EditorSelection) -> Target | None:
    """Return the function that holds the selection, or its start, or its end."""
    around = document.target_around(asked.start, asked.end) if asked.start != asked.end else None
    return around or next(filter(None, map(document.target_at, (asked.start, asked.end))), None)


def wanted_kind(only: Collection[str], offer: Action, *, at_problem: bool) -> str | None:
    """Return the kind of an action, a quick fix if it may mend a diagnostic; None if `only` names none of its kinds."""
    rewrite = f"{REWRITE}.{offer.topic}" if offer.topic else REWRITE
    mends = at_problem and offer.topic in ("", _GENERATE)
    kinds = (QUICK_FIX, rewrite) if mends else (rewrite,)
    return next((kind for kind in kinds if not only or any(_is_within(kind, each) for each in only)), None)


def _asks_for_ours(only: Collection[str]) -> bool:
    """True if a client asks for certo's own kinds of actions."""
    return any(_is_within(each, ours) for each in only for ours in (QUICK_FIX, REWRITE))


def _is_within(kind: str, wanted: str) -> bool:
    """True if a kind equals `wanted` or is below it, as `refactor.rewrite` is below `refactor`; "" is above all."""
    return not wanted or kind == wanted or kind.startswith(f"{wanted}.")


def code_action(client: Client, title: str, kind: str, **more: Any) -> dict[str, Any]:
    """Return a code action as JSON."""
    tags = {"tags": [_GENERATED]} if client.generated_tag else {}
    return {"title": as_message(title), "kind": kind, **tags, **more}


def as_json(client: Client, offer: Action, kind: str, **more: Any) -> dict[str, Any] | None:
    """Return an offer in a form the editor supports, with `more` fields; None if it cannot show disabled actions."""
    command = {"title": as_message(offer.title), "command": offer.command, "arguments": [offer.argument]}
    if offer.disabled is not None:
        shown = client.disabled_actions and client.code_action_literals
        reason = {"reason": as_message(offer.disabled)}
        return code_action(client, offer.title, kind, disabled=reason) if shown else None
    if not client.code_action_literals:
        return command
    if client.lazy_actions:
        return code_action(
            client, offer.title, kind, data={"command": offer.command, "argument": offer.argument}, **more
        )
    return code_action(client, offer.title, kind, command=command, **more)
