"""Answers that were paid for are given again, and a question is new only if it was never asked."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from certo.llm.serialization import reply_as_json
from certo.sessions.receipts import JournalReceipts
from certo.storage.paid_calls import PaidCall
from support.models.scripted_answers import reply
from support.search.journalled_searches import journal_of, sums


async def committed() -> None:
    """What is told is not looked at here."""


def test_lost_question_counts_as_asked(tmp_path: Path) -> None:
    """A question whose answer was lost is asked again, and nothing of it has changed; a third one is new."""
    kept = reply("kept")
    lost = PaidCall(mark="a", key="lost", calls=1, tokens=9, dollars=None)
    answered = PaidCall(
        mark="b", key="kept", calls=1, tokens=9, dollars=None, ended=True, reply=json.dumps(reply_as_json(kept))
    )
    strange: list[str] = []
    with closing(journal_of(tmp_path / "journals", sums(tmp_path))) as journal:
        receipts = JournalReceipts(journal, "5eac", committed, [lost, answered], lambda: strange.append("strange"))
        assert receipts.answered("lost") is None
        assert strange == []
        assert receipts.answered("new") is receipts.answered("newer") is None
        assert strange == ["strange"], "once"
        assert receipts.answered("kept") == kept
        assert receipts.answered("kept") is None
    assert strange == ["strange"]
