"""How the end of a search that met a bug is said."""

from __future__ import annotations

from certo.search.options import SearchOptions
from certo.sessions.failures import failure
from certo.vocabulary.outcome import Outcome


def test_plugins_are_named_at_a_bug():
    error = RuntimeError("kaput")
    assert failure("s", error, SearchOptions()) == (Outcome.BROKEN, "RuntimeError: kaput")
    outcome, reason = failure("s", error, SearchOptions(strategy="house:Boom", generator="builtin"))
    assert outcome is Outcome.BROKEN
    assert reason == "RuntimeError: kaput; it may be one of house:Boom, which others brought"
