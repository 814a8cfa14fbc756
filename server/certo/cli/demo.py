"""`certo demo`: a repair and an implementation, on a copy of a small example."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path

from rich.console import Console
from rich.text import Text

from certo.cli.bug_log import keep_log
from certo.cli.exit_codes import SOLVED
from certo.cli.runs.search_run import conclude, progress_view
from certo.cli.view.terminal import answer_console, progress_console
from certo.cli.watch import watch
from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.sessions.assembly.request import Request
from certo.settings.layers import PREFIX
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

EXAMPLE = Path(__file__).parent / "example"
"""The example project that comes with certo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One search of the demo: its place, and an introduction for the user."""

    title: str
    path: str
    qualname: str
    story: str


STEPS = (
    Step(
        title="a bug",
        path="till/coins.py",
        qualname="change",
        story="A customer says the till kept 50p. Four of its five tests fail.",
    ),
    Step(
        title="a stub",
        path="till/basket.py",
        qualname="loyalty_points",
        story="It has no body yet; its doctest and a test say what it should do.",
    ),
)


CHOICES = {
    "search.seed": 0,
    "search.seconds": 300.0,
    "builtin.seconds": 120.0,
    "search.strategy": "retry",
    "retry.select": "cheapest",
    "retry.num_candidates": 2,
}
"""Settings of the demo: a few passing candidates, to have something to compare, and the cheapest of them.

The time limits are longer than usual, because a first try must not fail on a busy machine.
"""


def choices(environ: Mapping[str, str]) -> Mapping[str, object]:
    """Return the settings of the demo for a user's environment.

    Unless the user names an interpreter, it is certo's own: a Python on the path may load slow plug-ins into pytest.
    """
    named = f"{PREFIX}INTERPRETER" in environ
    return CHOICES if named else {**CHOICES, "interpreter": sys.executable}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--keep", metavar="DIR", type=Path, help="put the example in this new directory, and leave it")


async def main(arguments: argparse.Namespace) -> int:
    """Run every step and print the next ones; return the exit code of the first step that failed.

    Raises:
        BadRequest: The directory for the example exists already, or cannot be created.
        BrokenWorld: Searches could not run here.
    """
    keep_log()
    answer, progress = answer_console(), progress_console()
    with _copied(arguments.keep) as root:
        for number, step in enumerate(STEPS, start=1):
            _announce(number, step, progress)
            code = await _take(step, root, answer=answer, progress=progress)
            if code != SOLVED:
                return code
    _say_goodbye(arguments.keep, progress)
    return SOLVED


async def _take(step: Step, root: Path, *, answer: Console, progress: Console) -> int:
    document = root / step.path
    flags = choices(os.environ)
    request = Request(document=document, text=read_source(document), place=ByName(step.qualname), flags=flags)
    watched = await watch(request, progress_view(progress))
    return conclude(watched, answer=answer, progress=progress, apply_it="")


@contextmanager
def _copied(keep: Path | None) -> Iterator[Path]:
    """Yield a copy of the example, in a directory to keep or in a temporary one."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="certo-demo-") as directory:
            copy = _copy(Path(directory).resolve() / "till")
            leave_out_plugins(copy / "pyproject.toml")
            yield copy
        return
    try:
        copy = _copy(keep.expanduser().resolve())
    except FileExistsError:
        raise BadRequest(f"--keep {keep}: this is there already; name a directory that is not") from None
    except OSError as error:
        raise BadRequest(f"--keep {keep}: the example cannot be copied there: {error}") from error
    yield copy


def _copy(to: Path) -> Path:
    shutil.copytree(EXAMPLE, to, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return to


def leave_out_plugins(pyproject: Path) -> None:
    """Keep pytest from loading the plug-ins of our interpreter: they take seconds, and the example uses none."""
    names = sorted({plugin.name for plugin in entry_points(group="pytest11")})
    with pyproject.open("a", encoding="utf-8") as file:  # its last table is the one of pytest
        file.write(f"addopts = {json.dumps([f'-pno:{name}' for name in names])}\n")


def _announce(number: int, step: Step, console: Console) -> None:
    console.print(Text.assemble("\n", (f"{number}  {step.title}", "bold"), f"   {step.story}"))
    console.print(Text(f"   $ certo generate {step.path}::{step.qualname}\n", "quiet"))


def _say_goodbye(keep: Path | None, console: Console) -> None:
    left = f"The example is in {keep}, unchanged." if keep else "The example was a copy and has been removed."
    console.print()
    console.print(Text(f"{left} On your own code:\n"))
    for command, what in (
        ("certo doctor", "what certo finds in your project"),
        ("certo generate FILE::FUNCTION", "repair a function, or fill in a stub"),
        ("certo generate FILE::FUNCTION --apply", "and put the result in the file"),
        ("certo verify FILE::FUNCTION", "check it as it is now"),
    ):
        console.print(Text.assemble(f"  {command:<39}", (what, "quiet")), soft_wrap=True)
