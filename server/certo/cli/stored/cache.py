"""`certo cache`: list and delete code generated for Python programs."""

from __future__ import annotations

import argparse
import sys

from certo.api.cache import CodeCache
from certo.cli.exit_codes import SOLVED
from certo.vocabulary.display import visible

_EXAMPLES = """\
examples:
  certo cache list                    each cached function: key, name, size, and whether it is verified
  certo cache clear                   delete them all; programs build them again when they need them
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("what", choices=("list", "clear"), help="show the cached functions, or delete them")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int:
    """Show or delete cached code; return the exit code."""
    cache = CodeCache()
    if arguments.what == "clear":
        forgotten = cache.clear()
        sys.stdout.write(f"deleted {forgotten} {'function' if forgotten == 1 else 'functions'} in {cache.place}\n")
        return SOLVED
    for kept in cache:
        standing = "verified" if kept.verified else "not verified"
        sys.stdout.write(f"{kept.key}  {visible(kept.name)}  {kept.size} bytes  {standing}\n")
    return SOLVED
