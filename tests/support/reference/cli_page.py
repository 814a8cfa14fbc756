"""docs/reference/cli.md: every command with its arguments and examples, and the exit codes."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise

from certo.cli import exit_codes
from certo.cli.main import COMMANDS
from support.documents.command_lines import parser_of
from support.reference.markdown import code, fence, page, sentence, table

_INTRODUCTION = """\
`certo COMMAND --help` prints the same. The answer goes to standard output, progress and problems to standard error."""

_EXAMPLE = re.compile(r"^  (certo .+?)(?:  +(.+))?$")
_CONTINUED = re.compile(r"^ {10,}(.+)$")


def cli_page() -> str:
    """Return every command in the order of the help, then the exit codes."""
    return page("Command line", "the parsers of the commands", _INTRODUCTION, *map(_command, COMMANDS), _exit_codes())


def _command(name: str) -> str:
    parser = parser_of(name)
    rows = [(_spelled(action), sentence(_help(action))) for action in parser._actions if action.dest != "help"]
    parts = [f"## `certo {name}`", sentence(parser.description or "")]
    if rows:
        parts.append(table(("argument", "what it does"), rows))
    return "\n\n".join([*parts, *_epilog(parser.epilog or "")])


def _spelled(action: argparse.Action) -> str:
    """Return an argument as it is typed: its flags with their value, or its placeholder."""
    choices = f"{{{','.join(map(str, action.choices))}}}" if action.choices else ""
    value = "" if action.nargs == 0 else str(action.metavar or choices or action.dest.upper())
    if action.option_strings:
        return code(", ".join(action.option_strings) + (f" {value}" if value else ""))
    return code(f"[{value}]" if action.nargs in ("?", "*") else value)


def _help(action: argparse.Action) -> str:
    return (action.help or "") % {**vars(action), "prog": "certo"} if "%(" in (action.help or "") else action.help or ""


def _epilog(text: str) -> Iterator[str]:
    """Yield the examples as commands with comments, and the lines below them as text."""
    for paragraph in re.split(r"\n\n+", text.strip()):
        head, _, rest = paragraph.partition("\n")
        if head == "examples:":
            yield fence("sh shown", "\n".join(map(_example, rest.splitlines())))
        elif paragraph and not paragraph.startswith("exit codes:"):
            yield paragraph


def _example(line: str) -> str:
    if found := _EXAMPLE.match(line):
        return f"{found[1]}  # {found[2]}" if found[2] else found[1]
    if found := _CONTINUED.match(line):
        return f"  # {found[1]}"
    raise ValueError(f"an example is a command, two spaces and what it is for: {line!r}")


def _exit_codes() -> str:
    """Return the exit codes with their docstrings."""
    body = ast.parse(inspect.getsource(exit_codes)).body
    rows = [
        (ast.unparse(named.value), said.value.value)
        for named, said in pairwise(body)
        if isinstance(named, ast.Assign) and isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
    ]
    return f"## Exit codes\n\n{table(('code', 'means'), [(number, str(meaning)) for number, meaning in rows])}"
