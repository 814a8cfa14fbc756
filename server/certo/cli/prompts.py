"""`certo prompts`: print the prompts for language models, or write them as files to edit."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from certo.cli.exit_codes import SOLVED
from certo.generation.model.templates import PLACEHOLDERS, shipped
from certo.vocabulary.errors import BadRequest

_EXAMPLES = """\
examples:
  certo prompts                       the names of all prompts
  certo prompts repair                one of them
  certo prompts --write prompts       all of them as files; set generation.prompts = "prompts" to have them used
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="prompt to print (default: list the names)")
    parser.add_argument("--write", metavar="DIRECTORY", type=Path, help="write the missing prompts as files")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int:
    """Print or write prompts; return the exit code.

    Raises:
        BadRequest: There is no such prompt, or the files cannot be written.
    """
    if arguments.name is not None and arguments.name not in PLACEHOLDERS:
        raise BadRequest(f"there is no prompt {arguments.name!r}; known: {', '.join(PLACEHOLDERS)}")
    names = [arguments.name] if arguments.name is not None else list(PLACEHOLDERS)
    if arguments.write is not None:
        _write(names, arguments.write)
    elif arguments.name is not None:
        sys.stdout.write(shipped(arguments.name))
    else:
        sys.stdout.write("".join(f"{name}\n" for name in names))
    return SOLVED


def _write(names: list[str], directory: Path) -> None:
    """Write prompts as files without overwriting any."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in names:
            file = directory / f"{name}.md"
            if not file.exists():
                file.write_text(shipped(name), encoding="utf-8")
                sys.stdout.write(f"{file}\n")
    except OSError as error:
        raise BadRequest(f"the prompts cannot be written to {directory}: {error.strerror}") from error
