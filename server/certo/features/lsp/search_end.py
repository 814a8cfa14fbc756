"""End of a search that the user started: a message, or a question with the possible next steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio
from lsprotocol import types

from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import argument_of
from certo.presentation.rivals import as_one_example, deciding_examples
from certo.presentation.status import ending
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.outcome import Outcome

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
    if row is None or not _may_ask(desk, live):
        desk.window.say(f"{sentence} {_WAY_ON}" if row is not None and row.verified else sentence, kind)
        return
    with anyio.CancelScope() as desk.view(live).question:
        await _ask(desk, live, row, sentence, kind, run)


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


def _may_ask(desk: EditorSession, live: LiveSearch) -> bool:
    """True if the user may be asked: as configured, by default only if no typing is interrupted."""
    wanted = live.resolved.settings.editor.ask_when_done
    return desk.client.questions and (not desk.client.asks_at_keyboard if wanted is None else wanted)
