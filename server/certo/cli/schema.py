"""`certo schema`: everything that crosses the wire, for programs that make clients or check messages."""

from __future__ import annotations

import argparse
import json
import sys

from certo.cli.codes import SOLVED
from certo.protocol.schema import document
from certo.protocol.typescript import typescript
from certo.settings.descriptions import json_schema

_EXAMPLES = """\
examples:
  certo schema                        the JSON Schema of the whole protocol, and of the settings
  certo schema --typescript           the same as types for a client in TypeScript
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--typescript", action="store_true", help="print types for TypeScript instead")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int:
    """Print the protocol; returns the exit code."""
    whole = document(json_schema())
    sys.stdout.write(typescript(whole) if arguments.typescript else json.dumps(whole, indent=2) + "\n")
    return SOLVED
