"""Candidates that wait to be applied, in a module of stubs, and the applied edits, without an editor."""

from __future__ import annotations

from pathlib import Path

from certo.edits.patch import apply_edits
from certo.edits.target import ByName
from certo.project.file_stamps import look_at_files
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.search.board import CandidateState
from certo.sessions.applied import AppliedEdit
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch, Stated
from certo.sessions.searches import Searches
from certo.vocabulary.candidate import Origin, candidate_id
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.text import Span, TextEdit
from support.sandbox.stage import OURS
from support.search.gate_verifier import GATE

FUNCTION = '''\
def total_{0}(prices):
    """Add up é🍎.

    More on 𝔘.
    """
    prices = list(prices)

    return "to do {0} 🍎"
'''
MODULE = "\n\n".join(["# é🍎\n", *(FUNCTION.format(number) for number in range(3))])


def best_applied(live: LiveSearch) -> AppliedEdit:
    """Return the best candidate of a search as an editor would have applied it."""
    row = live.state.best_row
    assert row is not None
    return AppliedEdit(
        wanted=row.candidate_id,
        hunks=(),
        candidate_id=row.candidate_id,
        text_before=live.base,
        text_after=apply_edits(live.base, row.edits),
        before=1,
        moved=False,
        merged=False,
        report=row.report,
        version=2,
        exact=True,
    )


async def search_for(searches: Searches, path: Path, text: str, number: int) -> LiveSearch:
    """Return an ended search with one candidate for a function, verified on the original text."""
    flags = {"verify": {"plugins": ["gate"]}, "interpreter": str(OURS.executable)}
    resolved = searches.resolve(Request(document=path, text=text, place=ByName(f"total_{number}"), flags=flags))
    old = f'"to do {number} 🍎"'
    start = text.index(old)
    edits = (TextEdit(Span(start, start + len(old)), f"sum(prices) + {number}"),)
    after = apply_edits(text, edits)
    live = LiveSearch(
        id=f"{path.stem}{number}",
        resolved=resolved,
        phase=Stated(
            problem=Problem(
                root=resolved.root, path=resolved.path, text=text, target=resolved.target, goal=Goal.REPAIR
            ),
            context=ExecutionContext(executor=LocalExecutor(SandboxOptions()), interpreter=OURS),
            files=await look_at_files(resolved.root, apart_from=path),
        ),
    )
    row = CandidateState(
        candidate_id=candidate_id(text, after), number=1, origin=Origin(generator="test"), edits=edits, diff="",
        scored=True, passed=True, verified=True, verdicts=[GATE.prove(after)],
    )  # fmt: skip
    live.state.rows[row.candidate_id], live.state.best = row, row.candidate_id
    searches.adopt(live)
    return live
