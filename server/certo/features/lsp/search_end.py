"""The end of a search that the user started: said, or put as a question with what can be done next."""

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
"""What runs a command as if the user had called it."""


@dataclass(frozen=True, slots=True)
class RivalChoice:
    """One answer: what it says, and the command it stands for, which may be about the candidate, or give an example."""

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
"""What can be done when a search has ended, in the order in which it is shown."""

_WAY_ON = "Accept it from the code actions on it."
"""What can be done about a verified candidate, for those who are shown no buttons."""

_FAIR = {
    Outcome.UNVERIFIED,
    Outcome.NOTHING_TO_GO_BY,
    Outcome.EXHAUSTED,
    Outcome.ATTEMPTS_SPENT,
    Outcome.BUDGET_SPENT,
}
"""Ends without a verified candidate that are nobody's fault."""


def choices_about(row: CandidateState, contenders: Sequence[CandidateState] = ()) -> tuple[RivalChoice, ...]:
    """The choices there are about a candidate; one that nothing has verified is to be looked at first.

    Where `contenders` passed like it and act otherwise, any of them can be said to be right, which is a retry with what
    it gives for an example.
    """
    rights = [
        RivalChoice(f"#{other.number} is right", RETRY.command, example=as_one_example(examples))
        for other in contenders
        if other is not row and (examples := deciding_examples(other, contenders))
    ]
    first = CHOICES[:2] if row.verified else CHOICES[1::-1]
    return (*first, *rights, *CHOICES[2:])


async def conclude(desk: EditorSession, live: LiveSearch, run: Run) -> None:
    """Say how a search ended, unless the user ended it; where the editor can, ask what to do next, and do it.

    Nothing waits for the answer, and the question is taken back when the search is forgotten.
    """
    stopped = live.state.stopped
    if stopped is None or stopped.outcome is Outcome.CANCELLED:
        return
    sentence, good = ending(live)
    fair = stopped.outcome in _FAIR
    kind = types.MessageType.Info if good else types.MessageType.Warning if fair else types.MessageType.Error
    row = live.state.best_row
    if row is None or not _may_ask(desk, live):
        desk.doors.say(f"{sentence} {_WAY_ON}" if row is not None and row.verified else sentence, kind)
        return
    with anyio.CancelScope() as desk.view(live).question:
        await _ask(desk, live, row, sentence, kind, run)


async def _ask(
    desk: EditorSession, live: LiveSearch, row: CandidateState, sentence: str, kind: types.MessageType, run: Run
) -> None:
    """Ask, and do what is chosen; who has looked at the diff is asked once more."""
    choices = {choice.label: choice for choice in choices_about(row, live.state.contenders(row))}
    while (label := await desk.doors.ask(sentence, kind, tuple(choices))) in choices:
        choice = choices.pop(label)
        argument = argument_of(live, row if choice.of_candidate else None)
        argument |= {"example": choice.example} if choice.example else {}
        with anyio.CancelScope(shield=True):
            # What is done may forget the search, and with it the question.
            await run(desk, types.ExecuteCommandParams(command=choice.command, arguments=(argument,)))
        if choice is not SHOW_DIFF:
            return


def _may_ask(desk: EditorSession, live: LiveSearch) -> bool:
    """Whether the user is asked: as the settings say, and where they say nothing only if no typing is interrupted."""
    wanted = live.resolved.settings.editor.ask_when_done
    return desk.client.questions and (not desk.client.asks_at_keyboard if wanted is None else wanted)
