"""Result of a search: the diff, the evidence for it, its cost, and the next step."""

from __future__ import annotations

import os
import shlex
import textwrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from certo.cli.view.terminal import MARKS, mark
from certo.presentation.evidence_level import level_in_words
from certo.presentation.phrases import (
    COMPARING,
    assurances,
    explained,
    failed_before,
    in_passing,
    is_remark,
    isolation,
    manner,
    objection,
    passed_checks,
    quoted,
    ruling_shown,
    sentence,
    spending,
    spreads_in_words,
    what_it_ran,
)
from certo.presentation.rivals import (
    agreement_in_words,
    compared,
    deciding_examples,
    example_of,
    uncompared,
    why_alone,
)
from certo.presentation.status import CandidateStatus, is_untested, needs_model, next_step, standing_of, status_in_words
from certo.presentation.strength import strength_in_short
from certo.presentation.why_right import why_right
from certo.search.board import CandidateState, SearchState
from certo.vocabulary.display import amount, as_diff, one_line, visible
from certo.vocabulary.events import SearchStopped, Winner
from certo.vocabulary.open_question import asked_call
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline
from certo.vocabulary.verdict import Report, Ruling

_MAX_LINES = 10
"""Maximum number of changed lines shown of a rival; the whole diff is in the editor and in `--json`."""


def show_rivals(board: SearchState, winner: CandidateState, console: Console) -> None:
    """Print the rivals of a winner, the calls on which they differ, and their changes."""
    contenders = board.contenders(winner)
    if not contenders:
        return
    unknown = uncompared(contenders)
    if known := len(contenders) - 1 - len(unknown):
        also = "also passes and behaves" if known == 1 else "also pass and behave"
        console.print(Text(f"RIVALS: {amount(known, 'candidate')} {also} differently", "unsure"))
    if unknown:
        also = "also passes" if len(unknown) == 1 else "also pass"
        why = f"RIVALS, not compared: {amount(len(unknown), 'candidate')} {also} ({unknown[0].uncompared})"
        console.print(Text(one_line(why), "unsure"), soft_wrap=True)
    for call, results in compared(contenders):
        console.print(Text(f"  {one_line(call)}"), soft_wrap=True)
        named = [(" ".join(f"#{row.number}" for row in rows), said) for said, rows in results]
        room = max(len(numbers) for numbers, _ in named)
        for numbers, said in named:
            console.print(Text.assemble("    ", (f"{numbers:<{room}}", "quiet"), f"  {one_line(said)}"), soft_wrap=True)
    console.print()
    for row in contenders[1:]:
        _show_code(row, console)
    console.print()


def decision(board: SearchState, winner: CandidateState) -> str:
    """Return the option that declares each rival right; empty if no value distinguishes them."""
    contenders = board.contenders(winner)
    said = [
        f"if #{row.number} is right, add {' '.join(f'--example {quoted(example_of(seen))}' for seen in examples)}"
        for row in contenders[1:]
        if (examples := deciding_examples(row, contenders))
    ]
    return "\n".join(said)


def _show_code(row: CandidateState, console: Console) -> None:
    """Print the change of a rival, without context lines."""
    is_verified = standing_of(row, over=True) is CandidateStatus.VERIFIED
    standing = "" if is_verified else f", {status_in_words(row, over=True)}"
    console.print(
        Text.assemble(f"  #{row.number}  ", (f"{one_line(row.origin.note)}{standing}", "quiet")), soft_wrap=True
    )
    lines = [
        (sign, style, line)
        for hunk in row.hunks
        for sign, style, side in (("-", "removed", hunk.removed), ("+", "added", hunk.added))
        for line in side
    ]
    for sign, style, line in lines[:_MAX_LINES]:
        console.print(Text(f"    {sign}{as_diff(line.rstrip())}", style), soft_wrap=True)
    if len(lines) > _MAX_LINES:
        more = amount(len(lines) - _MAX_LINES, "line")
        console.print(Text(f"    {mark('…', console)} {more} more", "quiet"))


_MODEL = "--model openai:gpt-5-mini"

FLAGS = {
    Outcome.NOTHING_TO_FIX: "--instruction TEXT, --example TEXT",
    Outcome.NOTHING_TO_GO_BY: "--example TEXT, --instruction TEXT",
    Outcome.EXHAUSTED: f"--example TEXT, {_MODEL}",
    Outcome.ATTEMPTS_SPENT: "--candidates 6, --example TEXT",
    Outcome.BUDGET_SPENT: "--timeout SECONDS",
    Outcome.WORLD_BROKEN: "certo doctor",
    Outcome.CANCELLED: "certo searches resume",
    Outcome.INTERRUPTED: "certo searches resume",
}
"""Command-line options that follow an outcome's advice."""

_CLOSEST = 3
_FACT = 12


def show_winner(
    board: SearchState, winner: Winner, console: Console, *, next_step: str, unfolded: bool = False
) -> None:
    """Print a candidate that passed: what it changes, why it is right, its rivals, its checks, and how to go on.

    Checks that passed share a line, or have one each in a table if they are `unfolded`.
    """
    row, evidence = board.rows[winner.candidate_id], winner.evidence
    show_heading(row.report, console)  # with the level that the sentence below has, which may be newer
    console.print("\n")
    show_diff(winner.diff, console)
    console.print()
    _show_reasons(board, row, console)
    show_rivals(board, row, console)
    show_evidence(evidence, console, subject="changed lines", unfolded=unfolded)
    console.print()
    show_problems(board.started.baseline if board.started else Baseline(), console)
    show_facts(
        {
            "caveat": evidence.caveat if evidence.verified else "",
            "set aside": failed_before(board.started.baseline) if board.started else "",
            "confined": isolation(evidence),
            **({} if unfolded else dict(assurances(evidence.verdicts))),
            "candidate": f"#{row.number}, {row.origin.note or row.origin.generator}",
            "allowed": board.started.baseline.needs if board.started else "",
            "ran": manner(evidence),
            "cost": explained(winner.cost),
            "criteria": spreads_in_words(winner.cost),
            "spent": spending(board.spent),
            "stopped by": board.stopped.reason if board.stopped else "",
            "which one": decision(board, row),
            "compared": _alone(board, row),
            "apply it": next_step,
            "tests": tests_command(board),
        },
        console,
    )


def _show_reasons(board: SearchState, row: CandidateState, console: Console) -> None:
    """Print why a candidate is right, the level of the evidence, how it stands beside others, and what tests notice."""
    why, known = why_right(board, row), agreement_in_words(row, board.groups())
    level, unsure = level_in_words(row.report), "unsure" if row.report.is_weak else ""
    strength = " ".join(strength_in_short(row.strength)) if row.strength is not None else ""
    doubtful = "unsure" if board.contenders(row) else "quiet"
    for said, style in ((why, ""), (level, unsure), (known, doubtful), (strength, "")):
        if said:
            console.print(Text(textwrap.fill(one_line(said), console.width, break_on_hyphens=False), style))
            console.print()


def _alone(board: SearchState, row: CandidateState) -> str:
    """Return that a candidate was compared with no other, why, and a hint; "" if it was."""
    if not (alone := why_alone(row, board.contenders(row))):
        return ""
    return f"{alone}; --strategy best_of --candidates 3 has three written, and compares what they do"


def show_heading(report: Report, console: Console) -> None:
    """Print the heading of a candidate without ending the line."""
    style = "unsure" if report.caveat or report.is_weak else "won" if report.verified else "lost"
    console.print(Text(visible(report.headline), style), end="")


def show_nothing(board: SearchState, stopped: SearchStopped, console: Console) -> None:
    """Print the reason why there is no candidate, the closest one, and advice."""
    console.print(Text(stopped.outcome.value, "unsure"))
    if stopped.reason:
        console.print(Text(one_line(sentence(stopped.reason))))
    closest = sorted((row for row in board.rows.values() if row.report.failure is not None), key=_distance)[:_CLOSEST]
    if closest:
        console.print(Text("\nThe closest candidates failed on", "quiet"))
    for row in closest:
        console.print(Text(f"  #{row.number:<3} {objection(row.report)}"), no_wrap=True, overflow="ellipsis")
    console.print()
    show_facts({"spent": spending(stopped.spent), **_next_steps(board, stopped)}, console)


def _next_steps(board: SearchState, stopped: SearchStopped) -> dict[str, str]:
    """Return the advice after a search without a candidate, and the options or the command to follow it with."""
    advice, flags = next_step(board), FLAGS.get(stopped.outcome, "")
    if needs_model(board):
        flags = _MODEL
    elif call := asked_call(stopped.reason):
        flags = f"--example {quoted(f'{call} == …')}"
    return {"next": advice, "options" if flags.startswith("-") else "command": flags, "tests": tests_command(board)}


def tests_command(board: SearchState) -> str:
    """Return the command that writes tests of a function that no test reaches; "" for any other."""
    if not is_untested(board) or board.started is None:
        return ""
    file = os.path.relpath(os.path.join(board.started.root, board.started.path))
    command = shlex.join(["certo", "tests", f"{file}::{board.started.qualname}"])
    return f"{command} writes tests of what it does today; keep those that are right"


def show_diff(diff: str, console: Console) -> None:
    """Print a unified diff: coloured on a terminal, otherwise byte for byte so that it can be applied."""
    if not console.is_terminal:
        console.file.write(diff)
        return
    text = Text()
    for line in as_diff(diff).splitlines(keepends=True):
        text.append(line, _diff_style(line))
    console.print(text, end="", soft_wrap=True)


def show_evidence(
    report: Report,
    console: Console,
    *,
    subject: str,
    compared: bool = True,
    not_run: tuple[str, ...] = (),
    unfolded: bool = True,
) -> None:
    """Print each verifier's ruling, evidence and time; `subject` is the code that its tests had to run.

    If nothing was `compared`, verifiers that only compare are left out unless they object. Those `not_run` come last.
    Unless they are `unfolded`, checks that passed and have no more to say share a line below the others.
    """
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="quiet")
    table.add_column("check")
    table.add_column("verdict", no_wrap=True)
    table.add_column("evidence", overflow="fold")
    table.add_column("sec", justify="right")
    confined = isolation(report)
    for verdict in report.verdicts:
        if not compared and verdict.passed and verdict.verifier in COMPARING:
            continue
        if not unfolded and in_passing(verdict, confined):
            continue
        shown, word = ruling_shown(verdict)
        sign, style = MARKS[shown]
        ruling = Text(f"{mark(sign, console)} {word}", style)
        evidence = Text(what_it_ran(verdict, subject=subject, confined=confined))
        table.add_row(one_line(verdict.verifier), ruling, evidence, f"{verdict.seconds:.2f}")
    for verifier in not_run:
        table.add_row(one_line(verifier), Text(f"{mark('–', console)} not run", "quiet"), "", "")
    if table.row_count:
        console.print(table)
    folded = "" if unfolded else passed_checks(report.verdicts, confined)
    if folded:
        sign, style = MARKS[Ruling.PASSED]
        console.print(Text.assemble((mark(sign, console), style), folded.removeprefix(sign)))


def show_problems(baseline: Baseline, console: Console) -> None:
    """Print caveats about the evidence: test files not collected, tools left out; quietly those that are not there."""
    for problem in baseline.problems:
        console.print(problem_line(problem), soft_wrap=True)


def problem_line(problem: str) -> Text:
    """Return one of a baseline's problems as a line, marked if it asks for something."""
    return Text(one_line(problem), "quiet") if is_remark(problem) else Text(f"! {one_line(problem)}", "open")


def show_facts(facts: dict[str, str], console: Console) -> None:
    """Print names with their values, aligned; empty values are left out.

    Lines are not folded, so that a command in them can be copied.
    """
    for name, said in facts.items():
        if said:
            whole = visible(said).replace("\n", f"\n{'':<{_FACT}}")
            console.print(Text.assemble((f"{name:<{_FACT}}", "quiet"), whole), soft_wrap=True)


def _distance(row: CandidateState) -> tuple[int, int, int]:
    """Return the distance of a failed candidate from passing: missing checks, failing tests, then its number."""
    failing = sum(
        verdict.tests.collected - verdict.tests.passed for verdict in row.verdicts if verdict.tests is not None
    )
    return -sum(verdict.ruling is Ruling.PASSED for verdict in row.verdicts), failing, row.number


def _diff_style(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return "head"
    return {"+": "added", "-": "removed", "@": "hunk"}.get(line[:1], "")
