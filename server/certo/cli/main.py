"""The command `certo`: loads only the sub-command, and turns every failure into a sentence and an exit code."""

from __future__ import annotations

import importlib
import os
import sys

from certo import __version__
from certo.cli.exit_codes import BAD_REQUEST, BROKEN_WORLD, BUG, INTERRUPTED, PIPE_CLOSED, SOLVED
from certo.cli.runs.garbage import without_collector
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest, CertoError

COMMANDS = {
    "generate": ("write or repair a function, and show the evidence that it works", "certo.cli.generate"),
    "watch": ("show a verified fix of what fails whenever you save or run pytest", "certo.cli.watch_files"),
    "verify": ("check a function as it is now, and show the evidence", "certo.cli.verify"),
    "tests": ("write tests that state what a function does today", "certo.cli.tests"),
    "diff": ("compare a function with an older version of it, by what both do", "certo.cli.diff"),
    "check": ("check the digest of a verdict that somebody claims", "certo.cli.check"),
    "estimate": ("estimate what a search would ask of language models", "certo.cli.estimate"),
    "demo": ("watch a repair and an implementation on a small example", "certo.cli.demo"),
    "searches": ("list, show, resume, check out or delete searches", "certo.cli.searches"),
    "memory": ("show or delete what certo learned about a project", "certo.cli.stored.memory"),
    "doctor": ("show what certo finds here, and what is missing", "certo.cli.doctor"),
    "privacy": ("show what certo keeps and what leaves this machine, or delete all of it", "certo.cli.stored.privacy"),
    "prompts": ("show the prompts for language models, or write them as files to change", "certo.cli.prompts"),
    "cache": ("show or delete the functions that Python programs had built", "certo.cli.stored.cache"),
    "worker": ("let this machine run tests for certo on other machines", "certo.cli.worker"),
    "schema": ("print the protocol as JSON Schema or as TypeScript types", "certo.cli.schema"),
    "mcp": ("serve certo's tools to agents over the Model Context Protocol", "certo.cli.mcp"),
    "serve": (
        "run the language server, over standard input and output or over sockets",
        "certo.cli.serve",
    ),
}
"""All sub-commands in help order: purpose and module of each.

A module offers `add_arguments(parser)` and `main(arguments)`, which returns the exit code or a coroutine of it.
"""


def run() -> None:
    """Run the command of this process and end the process with its exit code.

    A standard stream that the caller closed is replaced by the null device, so that its number is not given to the next
    opened file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end
    sys.exit(main(sys.argv[1:]))


def main(words: list[str]) -> int:
    """Run one command line and return its exit code; a failure is printed as one sentence on standard error."""
    try:
        code = _dispatch(words)
        sys.stdout.flush()
    except BrokenPipeError:
        return _nobody_listens()
    except KeyboardInterrupt:
        return INTERRUPTED
    except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - the edge: told in a sentence, a bug is recorded
        return _explain(_sole(error))
    return code


def _dispatch(words: list[str]) -> int:
    """Run the sub-command; only its own module is loaded."""
    name, rest = (words[0], words[1:]) if words else ("", [])
    if not words:
        sys.stderr.write(overview())
        return BAD_REQUEST
    if name in {"-h", "--help", "help"}:
        sys.stdout.write(overview())
        return SOLVED
    if name in {"-V", "--version"}:
        sys.stdout.write(f"certo {__version__}\n")
        return SOLVED
    if name not in COMMANDS:
        raise BadRequest(f"there is no command {name!r}; known: {', '.join(COMMANDS)}")
    with without_collector():
        command = importlib.import_module(COMMANDS[name][1])
    parser = importlib.import_module("certo.cli.parser").parser(name, COMMANDS[name][0])
    command.add_arguments(parser)
    answer = command.main(parser.parse_args(rest))
    if not isinstance(answer, int):
        answer = importlib.import_module("anyio").run(_awaited, answer)
    return int(answer)


async def _awaited(answer: object) -> object:
    return await answer  # type: ignore[misc]  # a command that returns no exit code returns a coroutine of one


def overview() -> str:
    """Return the help of the command itself, written out here so that printing it loads nothing."""
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:<{width}}  {what}" for name, (what, _) in COMMANDS.items())
    return (
        "certo writes and repairs Python functions, and shows the evidence that they work.\n\n"
        f"{rows}\n\n"
        "Start with one of\n\n"
        "  certo demo\n"
        "  certo generate src/shop.py::total\n\n"
        "`certo COMMAND --help` says more. No account, no key and no network are needed.\n"
    )


def _explain(error: BaseException) -> int:
    """Print a failure on standard error; return its exit code."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return _nobody_listens()
    code = BUG
    if isinstance(error, CertoError):
        code = BAD_REQUEST if isinstance(error, BadRequest) else BROKEN_WORLD
    sentence = str(error) if code != BUG else importlib.import_module("certo.cli.bug_log").record(error)
    sys.stderr.write("".join(f"certo: {line}\n" for line in visible(sentence).splitlines()))
    return code


def _sole(error: BaseException) -> BaseException:
    """Return the one failure inside nested exception groups; of several, the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _nobody_listens() -> int:
    """Exit silently after the reader of standard output has gone, as with `certo … | head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED
