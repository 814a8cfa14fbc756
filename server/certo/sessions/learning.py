"""What the journal takes down of a search for later ones: its tries, its facts, and the lessons of what was taken."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Mapping

from certo.search.lessons import fact_keys, facts, lessons, past_try
from certo.sessions.live import LiveSearch
from certo.vocabulary.events import CandidateScored, Event, SearchStopped

log = logging.getLogger(__name__)


def learn_from(live: LiveSearch, event: Event) -> None:
    """Take down what an event teaches, if it teaches anything; the board of its search has it already."""
    if live.journal is None or live.board.started is None:
        return
    if isinstance(event, CandidateScored):
        made = past_try(live.board, live.board.rows[event.candidate_id], time.time())
        if made is not None:
            live.journal.learned.tried(made)
    elif isinstance(event, SearchStopped):
        claims = facts(live.board, live.aim.target)
        live.journal.learned.learn(claims, instead_of=fact_keys(live.board))


def rejected_before(live: LiveSearch) -> Mapping[str, str]:
    """Return the candidates that users rejected in searches of this project, with the reasons; nothing unread."""
    try:
        return live.journal.learned.rejected() if live.journal is not None else {}
    except sqlite3.Error as error:
        # The journal says for itself when it cannot be used.
        log.debug("what was rejected cannot be read: %s", error)
        return {}


def learn_accepted(live: LiveSearch, candidate: str | None) -> None:
    """Keep for the project what was learned on the branch that led to a candidate, for that is in the text now.

    What other branches learned ends with their search.
    """
    if live.journal is not None:
        live.journal.learned.learn(lessons(live.board, candidate, live.base, live.aim.target))
