"""Command-line arguments of a search, and the request made of them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from certo.edits.examples import examples_in
from certo.edits.source import read_source
from certo.edits.target import split_target
from certo.plugins import whole_place
from certo.search.options import SearchOptions
from certo.sessions.assembly.request import Request
from certo.strategies.registry import ENTRIES
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.guidance import Example, Guidance

SETTINGS = {
    "iterations": "retry.max_iterations",
    "timeout": "search.seconds",
    "seed": "search.seed",
    "strategy": "search.strategy",
    "generator": "search.generator",
    "scope": "search.scope",
    "model": "model.name",
    "dollars": "search.dollars",
    "record": "search.record",
    "replay": "search.replay",
    "full_report": "search.full_report",
    "interpreter": "interpreter",
    "script": "scripted.path",
}
"""Setting behind each argument; an argument that is not given leaves other sources of settings alone."""

SIDE_BY_SIDE = (
    "auto.num_candidates",
    "retry.num_candidates",
    "best_of.num_candidates",
    "mcts.n_samples",
    "llm_tree_search.experimentation_per_run",
)
"""Settings behind `--candidates`: the number of concurrent tries, for each strategy."""


_FOR_MODELS = "only a language model follows it"


def add_target(parser: argparse.ArgumentParser, *, takes_tests: bool = True, is_needed: bool = True) -> None:
    """Declare the target, which may be a failing test if `takes_tests`, and the Python to run its tests with."""
    forms = "FILE::function, FILE::Class.method (a property's getter) or FILE:LINE"
    parser.add_argument(
        "target",
        nargs=None if is_needed else "?",
        metavar="FILE::NAME",
        help=f"{forms}; or a failing test, as pytest names it" if takes_tests else forms,
    )
    parser.add_argument("--interpreter", metavar="PATH", help="Python that runs the project's tests")
    parser.add_argument("--json", action="store_true", help="write JSON to standard output")
    parser.add_argument("--trace", action="store_true", help="print each run with its times at the end")


def _add_goal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--instruction", metavar="TEXT", default="", help=f"instruction in your own words; {_FOR_MODELS}"
    )
    parser.add_argument(
        "--goal",
        choices=("faster",),
        help="faster: look for code that does the same in less time",
    )
    parser.add_argument(
        "--preserve", action="store_true", help="follow the instruction, but refuse a candidate that acts otherwise"
    )


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a search."""
    _add_goal(parser)
    parser.add_argument(
        "--example",
        metavar="TEXT",
        action="append",
        default=[],
        help="an example that must hold, as 'total([1, 2]) == 3', or a doctest; may be repeated",
    )
    parser.add_argument(
        "--feedback", metavar="TEXT", default="", help=f"feedback on candidates of earlier searches; {_FOR_MODELS}"
    )
    parser.add_argument("--candidates", metavar="N", type=_positive, help="lanes, or attempts, that run in parallel")
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=_positive,
        help="attempts in each lane of the strategy `retry`, which this selects",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=read_seconds,
        help=f"stop the search after this time (default: {SearchOptions().seconds:g})",
    )
    parser.add_argument("--background", action="store_true", help="give way to everything else on this machine")
    parser.add_argument("--seed", metavar="N", type=int, help="random seed; the same seed gives the same answer")
    parser.add_argument(
        "--strategy",
        metavar="NAME",
        type=whole_place,
        help=f"strategy that decides what to try next: {', '.join(ENTRIES)}, or a plug-in",
    )
    parser.add_argument(
        "--generator",
        metavar="NAME",
        type=whole_place,
        help="generator that proposes candidates: builtin, model, scripted (with --script), or a plug-in",
    )
    parser.add_argument(
        "--scope", choices=("function", "files"), help="may change one function, or other files as well"
    )
    parser.add_argument("--model", metavar="NAME", help="language model that writes candidates, as openai:gpt-5-mini")
    parser.add_argument(
        "--dollars", metavar="N", type=read_dollars, help="upper limit for the price of language models"
    )
    parser.add_argument(
        "--record", metavar="FILE", type=_from_here, help="record the questions to models and their answers"
    )
    parser.add_argument(
        "--replay", metavar="FILE", type=_from_here, help="answer from a recorded file, and ask no model"
    )
    parser.add_argument("--script", metavar="FILE", type=_script, help="replies of --generator scripted, as JSON")
    parser.add_argument(
        "--full-report", action="store_true", default=None, help="run every check even after one failed"
    )


def request_of(arguments: argparse.Namespace) -> Request:
    """Return the request for the arguments; paths are relative to the current directory.

    A symbolic link is replaced by its target, which is the file that the project's tests import.

    Raises:
        BadRequest: There is no such file, it is no Python text, or an example is invalid.
        BadSetting: Two arguments contradict each other.
    """
    path, place = split_target(arguments.target)
    text = read_source(path)
    given = {setting: getattr(arguments, name, None) for name, setting in SETTINGS.items()}
    flags = {setting: value for setting, value in given.items() if value is not None}
    if (candidates := getattr(arguments, "candidates", None)) is not None:
        flags.update(dict.fromkeys(SIDE_BY_SIDE, candidates))
    # The other strategies go on for as long as it is worth it, or have numbers of their own.
    owner = SETTINGS["iterations"].partition(".")[0]
    if SETTINGS["iterations"] in flags and (named := flags.setdefault("search.strategy", owner)) != owner:
        raise BadSetting(f"--iterations sets the attempts of each lane of `{owner}`, but the strategy is {named}")
    if "model.name" in flags:
        # Naming a model means that it is to write; a generator named as well means something else.
        flags.setdefault("search.generator", "model")
    return Request(
        document=path.resolve(),
        text=text,
        place=place,
        instruction=getattr(arguments, "instruction", ""),
        goal=getattr(arguments, "goal", None) or "",
        guidance=_guidance(getattr(arguments, "example", ()), getattr(arguments, "feedback", "")),
        flags=flags,
        background=getattr(arguments, "background", False),
        preserve=getattr(arguments, "preserve", False),
    )


def _guidance(texts: Sequence[str], feedback: str) -> Guidance:
    examples: list[Example] = []
    for text in texts:
        examples += examples_in(text, after=len(examples))
    return Guidance(feedback=feedback, examples=tuple(examples))


def _positive(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {word!r}")
    return int(word)


def read_seconds(word: str) -> float:
    """Return a number of seconds.

    Raises:
        argparse.ArgumentTypeError: It is no positive number.
    """
    try:
        number = float(word)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {word!r}")
    return number


def read_dollars(word: str) -> float:
    """Return an amount of dollars.

    Raises:
        argparse.ArgumentTypeError: It is no such number.
    """
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of dollars, as 0.5, not {word!r}")
    return number


def _from_here(word: str) -> str:
    """Return a path relative to the current directory as an absolute one."""
    return str(Path(word).expanduser().absolute())


def _script(word: str) -> str:
    path = Path(word).expanduser()
    if not path.is_file():
        raise BadSetting(f"--script {word}: there is no such file; check the path, which is seen from {Path.cwd()}")
    return str(path.resolve())
