"""`certo check`: check the digest of a verdict that somebody claims."""

from __future__ import annotations

import argparse
import os
import sys

from rich.text import Text

from certo.cli.exit_codes import NONE, SOLVED
from certo.cli.view.json_lines import write_line
from certo.cli.view.terminal import answer_console
from certo.presentation.claims import claim_in_words
from certo.protocol.claims import CheckedVerdict
from certo.sessions.verdict_claims import check_claim

_NOTES = """\
A digest stands for a verdict: `certo verify --json` and the tools of `certo mcp` give one. It says
which function was judged, on which text, with which tests, and how it ended. It is keyed with a
secret of yours, so it cannot be made up without reading your files.

exit codes: 0 it says verified, and code and tests are unchanged, 1 anything else, 2 bad usage
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("digest", metavar="DIGEST", help="digest of a verdict, such as cv1-3f9a…")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.epilog = _NOTES


def main(arguments: argparse.Namespace) -> int:
    """Print what the digest vouches for; return the exit code."""
    checked = check_claim(arguments.digest.strip(), os.environ)
    if arguments.json:
        write_line(sys.stdout, CheckedVerdict.model_validate(checked).model_dump(mode="json", by_alias=True))
    else:
        console = answer_console()
        for number, line in enumerate(claim_in_words(checked)):
            style = ("won" if checked.holds else "lost") if not number else ""
            console.print(Text(line, style), soft_wrap=True)
    return SOLVED if checked.holds else NONE
