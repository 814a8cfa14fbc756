"""Command lines in documents, checked against the commands, flags and `make` targets that exist."""

from __future__ import annotations

import importlib
import re
import shlex
from collections.abc import Iterator
from functools import cache

from certo.cli.main import COMMANDS
from certo.cli.parser import Parser, parser
from certo.vocabulary.errors import BadRequest
from support.documents.pages import ROOT

OPERATORS = frozenset("|;&<>()")
PLACEHOLDER = re.compile(r"[A-Z]+|…")
"""What stands for any command in running text: `certo COMMAND --help`."""


@cache
def targets() -> frozenset[str]:
    """Return the targets of the Makefile."""
    return frozenset(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@cache
def parser_of(name: str) -> Parser:
    """Return the parser of a sub-command as the command itself makes it."""
    made = parser(name, COMMANDS[name][0])
    importlib.import_module(COMMANDS[name][1]).add_arguments(made)
    return made


def typed(text: str, *, prompt: str = "") -> Iterator[str]:
    """Yield the command lines of a block, continued lines joined; with a prompt, only the lines after one."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith(prompt) and line.strip() and not line.lstrip().startswith("#"):
            yield line.removeprefix(prompt)


def commands(line: str) -> Iterator[list[str]]:
    """Yield the words of each command in a line; variables set before it, redirections and comments are left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.wordchars += "$:@=,%+[]{}!^…"
    words: list[str] = []
    for word in lexer:
        if set(word) <= OPERATORS:
            yield words
            words = []
        elif words or not re.match(r"[A-Z_]+=", word):
            words.append(word)
    yield words


def complaint(words: list[str]) -> str:
    """Return the error in a command of ours; "" if there is none, or if the command is another program's."""
    program, rest = (words[0].rpartition("/")[2], words[1:]) if words else ("", [])
    if program == "make":
        unknown = [word for word in rest if re.fullmatch(r"[a-z-]+", word) and word not in targets()]
        return f"no target of the Makefile: {unknown}" if unknown else ""
    if program != "certo" or (rest and rest[0] in {"--help", "--version", "-h", "-V"}):
        return ""
    if not rest or rest[0] not in COMMANDS:
        return f"no command: {rest[:1]}"
    if "--help" in rest:
        return ""
    try:
        parser_of(rest[0]).parse_args(rest[1:])
    except BadRequest as refused:
        return str(refused)
    return ""


def complaint_in_passing(code: str) -> str:
    """Return the error in a command that running text names, perhaps in part: `certo searches`, `make test`."""
    program, *rest = code.split()
    if program == "make":
        return complaint([program, *rest[:1]])
    if not rest or PLACEHOLDER.match(rest[0]) or rest[0].startswith("-"):
        return ""
    if rest[0] not in COMMANDS:
        return f"no command: {rest[0]}"
    unknown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)) - flags(parser_of(rest[0]))
    return f"`certo {rest[0]}` has no {sorted(unknown)}" if unknown else ""


def flags(of: Parser) -> set[str]:
    """Return the flags of a parser and of its sub-parsers."""
    found = set()
    for action in of._actions:
        found.update(action.option_strings)
        if isinstance(action.choices, dict):
            found.update(*(flags(inner) for inner in action.choices.values()))
    return found
