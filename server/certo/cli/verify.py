"""`certo verify`: print the evidence for a function in its current state."""

from __future__ import annotations

import argparse

from certo.cli.request_arguments import add_target, request_of
from certo.cli.runs.early_start import run_early

_NOTES = """\
It runs the doctests of the function and the tests that reach it. The function is verified when all
of them pass. They must also pass in a separate process, and fail with broken assertions. And one of
them must depend on what it does: that test fails with a wrong version of it.

--strength runs the tests that pass on small changes of the function. It lists the changes that none
of them notices, each with a call that shows it. The exit code does not depend on it.

exit codes: 0 verified, 1 not, 2 bad usage or target, 3 environment error, 130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s FILE::NAME [options]"
    add_target(parser, takes_tests=False)
    parser.add_argument(
        "--strength", action="store_true", help="count how many small changes of the function its tests notice"
    )
    parser.epilog = _NOTES


async def main(arguments: argparse.Namespace) -> int:
    """Run the tests that reach the target and print the evidence; return the exit code.

    Raises the errors of `verify_run.run`.
    """
    return await run_early(("certo.cli.runs.verify_run",), arguments, request_of(arguments), is_remembered=True)
