"""`certo generate`: implement or repair one function, show the evidence, and apply it on request."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from certo.cli.request_arguments import add_choices, add_target, request_of
from certo.cli.runs.early_start import run_early
from certo.edits.target import ByLine
from certo.sessions.ambient.tracebacks import place_in_traceback
from certo.vocabulary.errors import BadRequest

_EXAMPLES = """\
examples:
  certo generate shop.py::total                  repair it until its tests pass, or write it if it is a stub
  certo generate shop.py::Basket.total --apply   and write the verified result to the file
  certo generate tests/test_shop.py::test_total  repair the function that makes this test fail
  certo generate shop.py:42 --json               the function on line 42; one JSON event per line
  certo generate --traceback error.log           repair the function that a traceback is about
  certo generate shop.py::total --example 'total([1, 2]) == 3'    with an example that must hold

exit codes: 0 a verified winner, 1 none, 2 bad usage or target, 3 environment error, 130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [FILE::NAME] [options]"
    add_target(parser, is_needed=False)
    parser.add_argument(
        "--traceback",
        metavar="FILE",
        help="repair what a traceback in a file is about, without a target; - is the input",
    )
    parser.add_argument("--apply", action="store_true", help="write a verified winner to the file")
    add_choices(parser)
    parser.epilog = _EXAMPLES


async def main(arguments: argparse.Namespace) -> int:
    """Search, show, and apply on request; return the exit code. Raises the errors of `search_run.run`."""
    if (arguments.target is None) == (arguments.traceback is None):
        raise BadRequest("name a target, as FILE::NAME, or a traceback, with --traceback FILE")
    if arguments.traceback is not None:
        arguments.target = _target_in(arguments.traceback)
    modules = ("certo.sessions.runner", "certo.sessions.searches", "certo.cli.runs.search_run")
    return await run_early(modules, arguments, request_of(arguments))


def _target_in(traceback: str) -> str:
    """Return the target that a traceback is about, in words; raises BadRequest if it names none here."""
    try:
        text = sys.stdin.read() if traceback == "-" else Path(traceback).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadRequest(f"{traceback} cannot be read: {error.strerror or error}") from error
    path, place = place_in_traceback(text, (Path.cwd(),))
    file = path.relative_to(Path.cwd())
    return f"{file}:{place.line}" if isinstance(place, ByLine) else f"{file}::{place.qualname}"
