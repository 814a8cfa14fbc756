"""How several versions of a function act: what comes of the same calls in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from certo.generation.builtin.distinguishing.call import Call
from certo.generation.builtin.distinguishing.outcome import Outcome, outcome
from certo.generation.builtin.distinguishing.side import Side
from certo.sandbox.executor import Message, Program
from certo.vocabulary.text import TextEdit

ACTING = Program(home=Path(__file__).resolve().parents[1] / "program", module="certo_builtin.distinguishing.acting")

SECONDS = 15.0
"""How long all calls may take; they take less than one where none hangs."""

Outcomes = tuple[Outcome | None, ...]
"""What came of each call, None where it was not made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """What came of the calls in the text as it stands, in each version, and once more in the first of these.

    Versions at the end are missing where time ran out.
    """

    before: Outcomes
    versions: tuple[Outcomes, ...]
    again: Outcomes


async def acted(
    side: Side, versions: Sequence[Sequence[TextEdit]], calls: Sequence[Call], *, alone: bool = False
) -> Acted:
    """Make calls of every version, which are edits of the side's text, in one run; `alone`, each in a fresh process.

    Raises:
        BrokenWorld: nothing can be run here.
    """
    told: dict[int, Outcomes] = {}
    again: list[Outcomes] = []

    def hear(message: Message) -> None:
        came, version = message.get("outcomes"), message.get("version")
        if not isinstance(came, list) or len(came) != len(calls):
            return
        outcomes = tuple(map(outcome, came))
        if isinstance(version, int):
            told[version] = outcomes
        else:
            again.append(outcomes)

    request = {
        "root": str(side.problem.root),
        "path": side.problem.path,
        "text": side.text,
        "line": side.target.line,
        "name": side.target.name,
        "seconds": SECONDS,
        "calls": [call.wire for call in calls],
        "alone": alone,
        "versions": [[[edit.span.start, edit.span.end, edit.replacement] for edit in edits] for edits in versions],
    }
    await side.run(ACTING, request, SECONDS, hear)
    nothing: Outcomes = (None,) * len(calls)
    whole = next((number for number in range(1, len(versions) + 1) if number not in told), len(versions) + 1)
    return Acted(
        before=told.get(0, nothing),
        versions=tuple(told[number] for number in range(1, whole)),
        again=again[0] if again else nothing,
    )
