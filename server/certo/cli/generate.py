"""`certo generate`: implement or repair one function, show the evidence, and apply it on request."""

from __future__ import annotations

import argparse

from certo.cli.request_arguments import add_choices, add_target, request_of
from certo.cli.runs.early_start import run_early

_EXAMPLES = """\
examples:
  certo generate shop.py::total                  repair it until its tests pass, or write it if it is a stub
  certo generate shop.py::Basket.total --apply   and write the verified result to the file
  certo generate tests/test_shop.py::test_total  repair the function that makes this test fail
  certo generate shop.py:42 --json               the function on line 42; one JSON event per line
  certo generate shop.py::total --example 'total([1, 2]) == 3'    with an example that must hold

exit codes: 0 a verified winner, 1 none, 2 bad usage or target, 3 environment error, 130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s FILE::NAME [options]"
    add_target(parser)
    parser.add_argument("--apply", action="store_true", help="write a verified winner to the file")
    add_choices(parser)
    parser.epilog = _EXAMPLES


async def main(arguments: argparse.Namespace) -> int:
    """Search, show, and apply on request; return the exit code. Raises the errors of `search_run.run`."""
    return await run_early(("certo.sessions.runner", "certo.cli.runs.search_run"), arguments, request_of(arguments))
