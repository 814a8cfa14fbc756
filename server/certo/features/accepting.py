"""Accepting a candidate as a command: what became of it is said in one sentence, and nobody waits for the answer."""

from __future__ import annotations

from lsprotocol import types

from certo.edits.target import ByName
from certo.features.applying import apply
from certo.features.desk import Desk
from certo.features.wording import short_name
from certo.search.wording import amount, tests_of
from certo.sessions.applied import Applied
from certo.sessions.live import LiveSearch
from certo.sessions.verifying import verify_current
from certo.vocabulary.errors import CertoError
from certo.vocabulary.verdict import Report

AGAIN = "Verify it as it is"
"""The answer to a question about a text that was verified in no such form."""


async def accept(desk: Desk, live: LiveSearch, candidate_id: str) -> None:
    """Apply a candidate, or say in one sentence why not; the search is forgotten once its candidate is in the text."""
    try:
        applied = await apply(desk, live, candidate_id)
        if applied is not None:
            await tell(desk, live, applied)
    except CertoError as refused:
        desk.doors.say(str(refused), types.MessageType.Error)


async def tell(desk: Desk, live: LiveSearch, applied: Applied) -> None:
    """Say what the user cannot see: that changes were merged, or that the text is not the one that was verified.

    Raises:
        CertoError: it is to be verified again, and cannot be.
    """
    name = short_name(live.aim.target)
    if applied.exact is False:
        sentence = (
            f"`{name}` in {live.aim.path} is not what was verified: the text changed while the edit was on its way. "
            "Look at it, and undo it or run its tests."
        )
        if not desk.client.questions:
            desk.doors.say(sentence, types.MessageType.Warning)
        elif await desk.doors.ask(sentence, types.MessageType.Warning, (AGAIN,)) == AGAIN:
            await _verify(desk, live, name)
    elif applied.merged:
        passed = amount(tests_of(applied.report.verdicts)[0], "test")
        desk.doors.say(f"`{name}` was merged with your changes and verified again, by {passed}.")


async def _verify(desk: Desk, live: LiveSearch, name: str) -> None:
    """Judge a function as it stands in the editor now, and say what came of it."""
    if live.world is None:
        raise RuntimeError("a search whose candidate was applied has no world")
    aim = desk.searches.aim(await desk.request(desk.uri_of(live), ByName.of(live.aim.target)))
    standing = await verify_current(aim, live.world, lambda _: None, models=live.models)
    report = standing.report
    kind = types.MessageType.Info if report.verified else types.MessageType.Warning
    desk.doors.say(f"`{name}` as it stands now {_standing(report)}.", kind)


def _standing(report: Report) -> str:
    if report.failure is not None:
        found = report.failure.findings[0].message if report.failure.findings else report.failure.ruling.value
        return f"does not pass: {report.failure.verifier}: {' '.join(found.split())}"
    if report.verified:
        return f"is verified by {amount(tests_of(report.verdicts)[0], 'test')}"
    return f"passes its checks, but {report.caveat}: it is NOT VERIFIED"
