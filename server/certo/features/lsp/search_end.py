"""End of a search that the user started: a message, or a question with the possible next steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import anyio
from lsprotocol import types

from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import argument_of
from certo.presentation.rivals import as_one_example, deciding_examples
from certo.presentation.status import ending, is_untested, short_name
from certo.search.board import CandidateState
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.live import LiveSearch
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.records import dataclass

Run = Callable[[EditorSession, types.ExecuteCommandParams], Awaitable[object]]
"""Runs a command as if the user had called it."""


@dataclass(frozen=True, slots=True)
class RivalChoice:
    """One answer: its title and command, which may be about the candidate or give an example."""

    label: str
    command: str
    of_candidate: bool = False
    example: str = ""


SHOW_DIFF = RivalChoice("Show diff", "certo.showDiff", of_candidate=True)
RETRY = RivalChoice("Retry", "certo.retry")
CHOICES = (
    RivalChoice("Accept", "certo.accept", of_candidate=True),
    SHOW_DIFF,
    RETRY,
    RivalChoice("Dismiss", "certo.dismiss"),
)
"""Possible steps after a search, in display order."""

WRITE = "Write tests first"
WITHOUT = "Search without tests"
"""Labels of the answers if no test reaches the function."""

_TESTS_FIRST = "The code action “Certo: write tests for `{name}`” shows what it does today; keep what is right."
"""Hint for editors without buttons."""

_WAY_ON = "Accept it from the code actions on it."
"""Hint about a verified candidate for editors without buttons."""

_FAIR = {
    Outcome.UNVERIFIED,
    Outcome.NOTHING_TO_GO_BY,
    Outcome.EXHAUSTED,
    Outcome.ATTEMPTS_SPENT,
    Outcome.BUDGET_SPENT,
}
"""Outcomes without a verified candidate that are no one's fault."""


def choices_about(row: CandidateState, contenders: Sequence[CandidateState] = ()) -> tuple[RivalChoice, ...]:
    """Return the choices about a candidate; an unverified one is to be looked at first.

    If `contenders` pass as well but behave differently, any of them can be declared right, which is a retry with one of
    its results as an example.
    """
    rights = [
        RivalChoice(f"#{other.number} is right", RETRY.command, example=as_one_example(examples))
        for other in contenders
        if other is not row and (examples := deciding_examples(other, contenders))
    ]
    first = CHOICES[:2] if row.verified else CHOICES[1::-1]
    return (*first, *rights, *CHOICES[2:])


async def conclude(desk: EditorSession, live: LiveSearch, run: Run) -> None:
    """Report the end of a search unless the user ended it; offer and run the next step if possible.

    Nothing waits for the answer, and the question is withdrawn when the search is removed.
    """
    stopped = live.state.stopped
    if stopped is None or stopped.outcome is Outcome.CANCELLED:
        return
    sentence, good = ending(live)
    fair = stopped.outcome in _FAIR
    kind = types.MessageType.Info if good else types.MessageType.Warning if fair else types.MessageType.Error
    row = live.state.best_row
    if is_untested(live.state) and row is None:
        await _offer_tests(desk, live, kind, run)
        return
    if row is None or not may_ask(desk, live.resolved):
        desk.window.say(f"{sentence} {_WAY_ON}" if row is not None and row.verified else sentence, kind)
        return
    with anyio.CancelScope() as desk.view(live).question:
        await _ask(desk, live, row, sentence, kind, run)


async def _offer_tests(desk: EditorSession, live: LiveSearch, kind: types.MessageType, run: Run) -> None:
    """Say that no test reaches the function, and let the user tick what it does rightly; then search again by that."""
    name = short_name(live.resolved.target)
    if not may_ask(desk, live.resolved):
        desk.window.say(f"{ending(live)[0]} {_TESTS_FIRST.format(name=name)}", kind)
        return
    request = live.resolved.request
    others = (WITHOUT,) if request.tests_first and (request.instruction or request.goal) else ()
    sentence = f"No test reaches `{name}`, so nothing can be verified. Tick what it does rightly today first?"
    with anyio.CancelScope() as desk.view(live).question:
        label = await desk.window.ask(sentence, kind, (WRITE, *others, CHOICES[-1].label))
        with anyio.CancelScope(shield=True):
            if label == CHOICES[-1].label:
                await _run(desk, run, "certo.dismiss", argument_of(live, None))
            elif label == WITHOUT or (label == WRITE and await _wrote_tests(desk, live, run)):
                await _run(desk, run, RETRY.command, argument_of(live, None))


async def _wrote_tests(desk: EditorSession, live: LiveSearch, run: Run) -> bool:
    """Offer tests of a search's function; return True if the user has accepted some."""
    place = {"v": 1, "uri": desk.uri_of(live), "qualname": live.resolved.target.qualname}
    answer = await _run(desk, run, "certo.tests", {**place, "wait": True})
    return isinstance(answer, dict) and answer.get("state") == "accepted"


async def _run(desk: EditorSession, run: Run, command: str, argument: dict[str, object]) -> object:
    return await run(desk, types.ExecuteCommandParams(command=command, arguments=(argument,)))


async def _ask(
    desk: EditorSession, live: LiveSearch, row: CandidateState, sentence: str, kind: types.MessageType, run: Run
) -> None:
    """Ask, and run the choice; after showing the diff, ask once more."""
    choices = {choice.label: choice for choice in choices_about(row, live.state.contenders(row))}
    while (label := await desk.window.ask(sentence, kind, tuple(choices))) in choices:
        choice = choices.pop(label)
        argument = argument_of(live, row if choice.of_candidate else None)
        argument |= {"example": choice.example} if choice.example else {}
        with anyio.CancelScope(shield=True):
            # The command may remove the search, and with it the question.
            await run(desk, types.ExecuteCommandParams(command=choice.command, arguments=(argument,)))
        if choice is not SHOW_DIFF:
            return


def may_ask(desk: EditorSession, resolved: ResolvedRequest) -> bool:
    """True if the user may be asked: as configured, by default only if no typing is interrupted."""
    wanted = resolved.settings.editor.ask_when_done
    return desk.client.questions and (not desk.client.asks_at_keyboard if wanted is None else wanted)
