"""Table of candidates: one row each, filled in while it is judged."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from certo.cli.view.card import problem_line
from certo.cli.view.terminal import MARKS, mark
from certo.presentation.phrases import fraction, objection, price, reaching, ruling_shown, set_aside, writing
from certo.presentation.status import CandidateStatus, standing_of, status_in_words
from certo.search.board import CandidateState, SearchState
from certo.strategies.registry import wants_model
from certo.vocabulary.display import lane, one_line
from certo.vocabulary.events import SearchStarted


def header(started: SearchStarted, console: Console) -> Text:
    """Return the task and the state of the tests; on a terminal each test set aside takes one line."""
    text = Text()
    text.append(f"{started.goal.value} ", "head")
    text.append(one_line(started.qualname), "place")
    text.append(f" in {one_line(started.path)}:{started.line}")
    if started.second:
        path, _, name = one_line(started.second).rpartition("::")
        text.append(" and ").append(name, "place").append("" if path == started.path else f" in {path}")
    text.append("\n")
    text.append(reaching(started.baseline), "" if started.baseline.tests else "open")
    problems = [*started.baseline.problems]
    if started.generator == "builtin" and wants_model(started.strategy):
        problems.append(
            f"{started.strategy} is made for a language model; the built-in search gives it one candidate at a time"
        )
    for problem in problems:
        text.append("\n").append_text(problem_line(problem))
    for line in set_aside(started.baseline):
        said = Text(f"  {line}", "quiet")
        if console.is_terminal:
            said.truncate(console.width, overflow="ellipsis")
        text.append("\n").append_text(said)
    dot = f" {mark('·', console)} "
    text.append(f"\nchecks in order: {dot.join(map(one_line, started.verifiers))}", "quiet")
    return text


def candidates(board: SearchState, console: Console, *, rows: int) -> RenderableType:
    """Return the newest candidates, at most `rows` and always including the best."""
    every = list(board.rows.values())
    shown = every[-rows:]
    best = board.best_row
    if best is not None and best not in shown:
        shown = [best, *shown[1:]]
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True, header_style="quiet", pad_edge=False)
    table.add_column("#", justify="right", width=3)
    table.add_column("candidate", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("checks", no_wrap=True, min_width=6)
    table.add_column("tests", justify="right", no_wrap=True)
    table.add_column("cost", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, overflow="ellipsis", max_width=console.width // 3)
    verifiers = board.started.verifiers if board.started is not None else ()
    for row in shown:
        table.add_row(
            str(row.number),
            Text(one_line(_origin(row))),
            marks(row, verifiers, console),
            fraction(row.report),
            price(row.cost),
            _standing(row, console),
        )
    hidden = len(every) - len(shown)
    return Group(table, Text(f"     and {hidden} earlier", "quiet")) if hidden else table


def drafts(board: SearchState, console: Console) -> Text:
    """Return the candidates being written, a line each: "lane 2: a:model is writing, 14 lines so far"."""
    more = mark("…", console)
    lines = (f"{lane(slot)}: {writing(draft)} {more}" for slot, draft in sorted(board.drafts.items()))
    return Text("\n".join(map(one_line, lines)), "quiet", no_wrap=True, overflow="ellipsis")


def marks(row: CandidateState, verifiers: tuple[str, ...], console: Console) -> Text:
    """Return one mark per verifier, in the order in which they are asked."""
    rulings = {verdict.verifier: ruling_shown(verdict)[0] for verdict in row.verdicts}
    text = Text()
    for name in verifiers:
        if name in rulings:
            sign, style = MARKS[rulings[name]]
        else:
            sign, style = ("…", "open") if row.judging == name else ("·", "quiet")
        text.append(mark(sign, console), style)
    return text


def _origin(row: CandidateState) -> str:
    """Return the origin of a candidate, and the number of proposals if more than one."""
    said = row.origin.note or row.origin.generator
    return f"{said}, {row.times} times" if row.times > 1 else said


def _standing(row: CandidateState, console: Console) -> Text:
    """Return the status of a candidate in words."""
    if not row.scored:
        words = f"{one_line(row.at_work)} {mark('…', console)}" if row.judging else "waiting"
        return Text(words, "quiet")
    if not row.passed:
        return Text(objection(row.report), "bad")
    standing = standing_of(row, over=True)
    is_won = standing is CandidateStatus.VERIFIED and not row.report.is_weak
    return Text(status_in_words(row, over=True), "won" if is_won else "open")
