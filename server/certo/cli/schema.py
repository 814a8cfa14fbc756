"""`certo schema`: print the schema of everything on the wire."""

from __future__ import annotations

import argparse
import json
import sys

from certo.cli.exit_codes import SOLVED
from certo.protocol.schema import document
from certo.protocol.typescript import typescript
from certo.settings.documents import json_schema
from certo.settings.vscode import configuration, restricted

_EXAMPLES = """\
examples:
  certo schema                        the JSON Schema of the whole protocol, and of the settings
  certo schema --typescript           the same as types for a client in TypeScript
  certo schema --vscode               the settings as an extension of VS Code contributes them
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--typescript", action="store_true", help="print types for TypeScript instead")
    forms.add_argument("--vscode", action="store_true", help="print the settings for VS Code's package.json instead")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int:
    """Print the protocol; return the exit code."""
    if arguments.vscode:
        contributed = {"configuration": configuration(), "restrictedConfigurations": restricted()}
        sys.stdout.write(json.dumps(contributed, indent=2) + "\n")
        return SOLVED
    whole = document(json_schema())
    sys.stdout.write(typescript(whole) if arguments.typescript else json.dumps(whole, indent=2) + "\n")
    return SOLVED
