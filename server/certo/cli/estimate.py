"""`certo estimate`: print the model usage a search would have, before any model is asked."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict

from rich.text import Text

from certo.cli.bug_log import keep_log
from certo.cli.exit_codes import SOLVED
from certo.cli.request_arguments import add_choices, add_target, request_of
from certo.cli.runs.search_run import next_suspects
from certo.cli.signals import ended_by_signals
from certo.cli.view.card import show_facts
from certo.cli.view.json_lines import write_line
from certo.cli.view.terminal import answer_console, progress_console, waiting
from certo.llm.ledger import Expense
from certo.presentation.phrases import models_in_words
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request
from certo.sessions.estimate import Estimate, estimate
from certo.vocabulary.cost import Spent
from certo.vocabulary.display import amount

_NOTES = """\
It runs the tests that reach the function and builds the prompts, but sends none. Tokens are estimated
from the length of the text: 3.5 bytes for one.

exit codes: 0 estimated, 2 bad usage, target or setting, 3 environment error, 130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s FILE::NAME [options]"
    add_target(parser)
    add_choices(parser)
    parser.epilog = _NOTES


async def main(arguments: argparse.Namespace) -> int:
    """Print the estimate; return the exit code.

    Raises:
        BadRequest: The target, a setting or a model is invalid.
        BrokenWorld: The tests cannot be run here.
    """
    keep_log()
    progress = progress_console()
    async with ended_by_signals() as ending, waiting(progress) as say:
        resolved = resolve_request(await next_suspects(request_of(arguments), progress, say), os.environ)
        world = await find_execution_context(resolved, os.environ)
        estimated = await estimate(resolved, world, say)
    if ending.signal is not None:
        return 128 + ending.signal
    if arguments.json:
        write_line(sys.stdout, {"type": "estimate", **asdict(estimated)})
    else:
        show(estimated)
    return SOLVED


def show(estimated: Estimate) -> None:
    """Print the estimate as facts."""
    console = answer_console()
    if not estimated.models:
        console.print(Text("No language model would be asked.", "good"))
        return
    show_facts(
        {
            "models": ", ".join(estimated.models),
            "likely": f"{_words(estimated.likely)}, if the first answer passes",
            "at most": f"{_words(estimated.most)}, in {amount(estimated.tries, 'try').replace('trys', 'tries')}",
            "capped by": estimated.cap,
        },
        console,
    )


def _words(expense: Expense) -> str:
    return models_in_words(Spent(calls=expense.calls, tokens=expense.tokens, dollars=expense.dollars))
