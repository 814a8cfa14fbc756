"""docs/reference/outcomes.md: how a search can end, and what to do then."""

from __future__ import annotations

from certo.cli.view.card import FLAGS
from certo.vocabulary.outcome import PAUSES, Outcome
from support.reference.markdown import code, page, table

_INTRODUCTION = """\
Every search ends with one of these outcomes. The name crosses the wire in the event `search.stopped`; the sentence is
what the terminal and the editor show. `certo generate` turns it into an [exit code](cli.md#exit-codes).

`certo searches list` shows the outcome as the state of a search, unless it is `running` or you have decided: then it is
`accepted` or `dismissed`."""


def outcomes_page() -> str:
    """Return every outcome with its sentence, what may help next, and whether the search can be resumed."""
    rows = [
        (
            code(outcome.name.lower().replace("_", "-")),
            outcome.value,
            outcome.advice,
            " or ".join(map(code, FLAGS.get(outcome, "").split(", "))),
            "yes" if outcome in PAUSES else "no",
        )
        for outcome in Outcome
    ]
    head = ("outcome", "sentence", "what may help", "on the command line", "can be resumed")
    return page("Outcomes", "the outcomes that the code declares", _INTRODUCTION, table(head, rows))
