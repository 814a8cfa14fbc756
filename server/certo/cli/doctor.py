"""`certo doctor`: the state of this installation, missing parts, and the commands that fix them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from certo.cli.signals import ended_by_signals
from certo.cli.view.terminal import answer_console, mark
from certo.protocol.inspection import EnvironmentResult
from certo.sandbox.selftest import EscapeAttempt
from certo.sessions.diagnosis import Environment, examine, self_test
from certo.sessions.model_facts import Fact, Health
from certo.vocabulary.display import amount, visible

_MARKS = {Health.GOOD: ("✓", "good"), Health.LACKING: ("!", "open"), Health.BROKEN: ("✗", "bad")}
_UNBROKEN = 10_000
"""Width that no line reaches."""

_USABLE, _BROKEN = 0, 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        default=Path(),
        type=Path,
        help="a file or directory of the project (default: the current directory)",
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of text")
    parser.add_argument("--self-test", action="store_true", help="let a program try to break out of the sandbox")


async def main(arguments: argparse.Namespace) -> int:
    """Print all findings; the exit code says if a search could run here."""
    async with ended_by_signals() as ending:
        found = await examine(arguments.path, environ=os.environ)
        attempts = await self_test(found, Path.home()) if arguments.self_test else ()
    if ending.signal is not None:
        return 128 + ending.signal
    if arguments.json:
        tried = {"selfTest": [asdict(attempt) for attempt in attempts]} if arguments.self_test else {}
        sys.stdout.write(
            json.dumps(
                {**EnvironmentResult.model_validate(found).model_dump(mode="json", by_alias=True), **tried}, indent=2
            )
            + "\n"
        )
    else:
        render(found, answer_console())
        _render_attempts(attempts, answer_console())
        if not any(attempt.worked for attempt in attempts):
            _render_next(found, answer_console())
    return _USABLE if found.usable and not any(attempt.worked for attempt in attempts) else _BROKEN


def render(found: Environment, console: Console) -> None:
    """Print facts as aligned rows; reasons are subdued, steps to take stand out.

    Lines are folded on a terminal only; elsewhere a folded path could not be searched for or copied.
    """
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=1)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for fact in found.facts:
        sign, style = _MARKS[fact.health]
        table.add_row(Text(mark(sign, console), style=style), Text(fact.subject, style="head"), _words(fact, console))
    if not console.is_terminal:
        console.width = _UNBROKEN
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        console.out(line.rstrip(), highlight=False)
    console.print()
    console.print(_verdict(found))


def _render_attempts(attempts: Sequence[EscapeAttempt], console: Console) -> None:
    """Print the forbidden operations that a program tried in the sandbox, and their success."""
    for attempt in attempts:
        sign, style = _MARKS[Health.BROKEN if attempt.worked else Health.GOOD]
        said = "worked" if attempt.worked else f"refused: {visible(attempt.says)}"
        console.print(Text.assemble((mark(sign, console), style), f"  {attempt.name}: {said}"), soft_wrap=True)
    if attempts:
        worked = sum(attempt.worked for attempt in attempts)
        words = "Every attempt of a hostile candidate was refused."
        broken = f"The sandbox does not hold: {amount(worked, 'attempt')} worked."
        console.print(Text(broken, style="bad") if worked else Text(words, style="good"))


def _words(fact: Fact, console: Console) -> Text:
    text = Text(visible(fact.says))
    for detail in fact.details:
        text.append(f"\n{visible(detail)}", style="quiet")
    if fact.remedy:
        text.append(f"\n{mark('→', console)} ", style="quiet").append(visible(fact.remedy), style="place")
    return text


def _verdict(found: Environment) -> Text:
    """Return the last line: if certo can work here, and the number of possible improvements."""
    broken = sum(fact.health is Health.BROKEN for fact in found.facts)
    lacking = sum(fact.health is Health.LACKING for fact in found.facts)
    if broken:
        return Text(f"certo cannot work here yet: {amount(broken, 'problem')} to fix.", style="bad")
    if lacking:
        return Text(f"certo works here, with {amount(lacking, 'limit')}.", style="open")
    return Text("certo works here.", style="good")


def next_steps(found: Environment) -> tuple[tuple[str, str], ...]:
    """Return the commands to run next, each with what it does; the first is the one that helps most."""
    if not found.usable:
        return (("certo doctor", "again, once the problems above are fixed"),)
    if not found.test_files:
        return (
            ("certo tests FILE::FUNCTION", "write tests that state what a function does today"),
            ("certo generate FILE::FUNCTION", "fill in a stub whose docstring has an example"),
        )
    return (
        ("certo generate TEST_FILE::TEST", "repair what makes a failing test fail"),
        ("certo generate FILE::FUNCTION", "repair a function, or fill in a stub"),
        ("certo verify FILE::FUNCTION", "see which tests run a function, and what they say"),
        ("certo watch", "be shown a fix whenever a test fails"),
    )


def _render_next(found: Environment, console: Console) -> None:
    """Print the commands to run next below each other."""
    steps = next_steps(found)
    width = max(len(command) for command, _ in steps)
    console.print(Text("\nNext:"))
    for command, what in steps:
        line = Text.assemble(f"  {command:<{width}}  ", (what, "quiet"))
        console.print(line, soft_wrap=True)
