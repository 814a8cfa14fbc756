"""`certo watch`: show a verified fix of what fails whenever a file is saved or pytest has run."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

_EXAMPLES = """\
examples:
  certo watch                  watch the project in this directory
  certo watch ~/src/shop       watch another one

exit codes: 0 ended by Ctrl+C, 2 bad usage or setting, 3 environment error, 143 ended by SIGTERM
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [FOLDER] [options]"
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=Path(), help="the project to watch")
    parser.add_argument("--interpreter", metavar="PATH", help="Python that runs the project's tests")
    parser.epilog = _EXAMPLES


async def main(arguments: argparse.Namespace) -> int:
    """Watch until a signal; return the exit code. Raises the errors of `watch_run.run`."""
    code: int = await importlib.import_module("certo.cli.runs.watch_run").run(arguments)
    return code
