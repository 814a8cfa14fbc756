"""`certo verify`: print the evidence for a function in its current state."""

from __future__ import annotations

import argparse
import importlib

from certo.cli.request_arguments import add_target, request_of
from certo.cli.runs.early_start import run_early
from certo.vocabulary.errors import BadRequest

_NOTES = """\
It runs the doctests of the function and the tests that reach it. The function is verified when all
of them pass. They must also pass in a separate process, and fail with broken assertions. And one of
them must depend on what it does: that test fails with a wrong version of it.

--strength runs the tests that pass on small changes of the function. It lists the changes that none
of them notices, each with a call that shows it. The exit code does not depend on it.

--changed does this for every function that differs from a revision, and compares what each did
before and does now. The revision is the last commit in common with REV, by default with the main
branch. What an earlier run found in exactly this state of the project is taken from the journal and
marked as cached. The same seed gives the same result. Differences in behaviour and the strength of
tests are reported, and the exit code does not depend on them.

exit codes: 0 verified, with --changed all functions; 1 not; 2 bad usage, target or revision;
3 environment error; 4 with --changed: none failed, and a function could not be judged;
130 interrupted

examples:
  certo verify src/shop.py::total
  certo verify --changed
  certo verify --changed origin/main --format github --format sarif=certo.sarif
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s FILE::NAME [options]\n       %(prog)s --changed [REV] [options]"
    add_target(parser, takes_tests=False)
    target = next(action for action in parser._actions if action.dest == "target")
    target.nargs = "?"
    parser.add_argument(
        "--strength", action="store_true", help="count how many small changes of the function its tests notice"
    )
    parser.add_argument(
        "--changed",
        metavar="REV",
        nargs="?",
        const="",
        help="verify every function that changed since the last commit in common with REV (default: the main branch)",
    )
    parser.add_argument(
        "--format",
        metavar="NAME[=FILE]",
        action="append",
        default=[],
        help="with --changed: table, jsonl, sarif, junit or github, to a file if one is named; may be repeated",
    )
    parser.add_argument(
        "--fail-on",
        choices=("failed", "not-verified"),
        help="with --changed: exit code 1 if a function fails, or also if it is not verified (default: not-verified)",
    )
    parser.add_argument("--seed", metavar="N", type=int, help="random seed; the same seed gives the same result")
    parser.epilog = _NOTES


async def main(arguments: argparse.Namespace) -> int:
    """Judge the target, or all functions that changed, and print the evidence; return the exit code.

    Raises the errors of `verify_run.run` and `changed_run.run`.
    """
    _check(arguments)
    if arguments.changed is not None:
        # It loads what a start without a target must not wait for.
        changed_run = importlib.import_module("certo.cli.runs.changed_run")
        return int(await changed_run.run(arguments))
    return await run_early(("certo.cli.runs.verify_run",), arguments, request_of(arguments), to_verify=True)


def _check(arguments: argparse.Namespace) -> None:
    """Raise BadRequest if the arguments contradict each other."""
    is_changed = arguments.changed is not None
    if bool(arguments.target) == is_changed:
        raise BadRequest("name one function, FILE::NAME, or all that changed: --changed [REV]")
    if not is_changed and (arguments.format or arguments.fail_on):
        raise BadRequest("--format and --fail-on belong to --changed; for one function there is --json")
    if arguments.json and arguments.format:
        raise BadRequest("--json is short for --format jsonl; give one of them")
    if is_changed and arguments.strength:
        raise BadRequest("--changed measures the strength of the tests in any case; leave out --strength")
