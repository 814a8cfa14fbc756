"""Measures the grammar of docstring phrases: how often it knows one, and how often the code bears it out.

    python tests/benchmarks/phrases.py [--data FOLDER] [--bars]

The docstrings are those of the standard library and of the packages installed beside it, of functions of at most 30
lines: nobody wrote them for certo. With `--data`, a folder with the sets of `stubs.py`, those of the stubs are
measured as well, and their true solutions. A phrase *hits* if the code has its construct; the lift is by how much more
often than any code has it. A promise is *kept* if the true solution keeps it on all inputs of the set (MBPP+ has them).
A refusal is *read* if its words make a condition on the parameters. Single phrases are shown for packages and for
development stubs; of validation, only sums.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stubs import DATA, PARTS, part_of

from certo.generation.builtin.generator import PROGRAM
from certo.generation.builtin.promise_checks import keeps
from certo.generation.builtin.promises import promises_in
from certo.guests import WORKER_HOME

sys.path[:0] = [str(PROGRAM.home), str(WORKER_HOME)]

from certo_builtin.synthesis.phrases.catalogue import PHRASES
from certo_builtin.synthesis.phrases.conditions import Parameters, conditions
from certo_builtin.synthesis.phrases.grammar import read
from certo_builtin.synthesis.phrases.guards import asked_for
from certo_builtin.synthesis.phrases.phrase import Phrase

MAX_LINES = 30
BAR_LIFT = 3.0
"""By how much more often than by chance the code of validation stubs must have what their telling phrases say."""
BAR_KEPT = 0.85
"""The share of the promises of validation stubs that the true solution must keep on all inputs."""


@dataclass(frozen=True)
class Documented:
    """A function: its name, its parameters, its docstring, and its code without that."""

    name: str
    parameters: tuple[str, ...]
    docstring: str
    code: str


def installed() -> list[Documented]:
    """Return the short functions with docstrings in the standard library and in installed packages."""
    found: dict[tuple[str, str], Documented] = {}
    roots = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
    for path in sorted({path for root in roots for path in root.rglob("*.py")}):
        if {"test", "tests", "idlelib"}.isdisjoint(path.parts) and "certo" not in path.parts:
            for one in _functions(path):
                found.setdefault((one.name, one.code), one)
    return list(found.values())


def _functions(path: Path) -> Iterator[Documented]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, OSError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            docstring, body = ast.get_docstring(node), node.body[1:]
            if docstring and body and (node.end_lineno or 0) - body[0].lineno < MAX_LINES:
                names = tuple(one.arg for one in node.args.args if one.arg not in ("self", "cls"))
                yield Documented(node.name, names, docstring, "\n".join(map(ast.unparse, body)))


def stubs_in(folder: Path, part: str) -> list[tuple[Documented, dict[str, Any]]]:
    """Return the stubs of one part of all sets, with their true solutions as code, and their rows."""
    found = []
    for path in DATA.values():
        for line in (folder / path.name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if part_of(row) == part:
                docstring = row.get("doc") or _docstring(row["prompt"], row["entry_point"])
                found.append((Documented(row["entry_point"], (), docstring, row["canonical_solution"]), row))
    return found


def _docstring(prompt: str, name: str) -> str:
    nodes = ast.walk(ast.parse(prompt + "    ...\n"))
    target = next(node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name)
    return ast.get_docstring(target) or ""


def phrases_of(one: Documented) -> list[Phrase]:
    """Return the phrases in the first paragraph of a docstring; the rest of a long one is about other things."""
    prose = one.docstring.split(">>>")[0]
    return [found.phrase for found in read(prose.split("\n\n")[0] if one.parameters else prose, one.name).found]


@dataclass
class Tally:
    """How often a phrase was found, and how often the code had its construct."""

    found: int = 0
    hits: int = 0

    def text(self, base: float) -> str:
        """Return the counts as columns."""
        share = self.hits / self.found if self.found else 0.0
        lift = f"{share / base:5.1f}" if self.found and base else "    -"
        return f"{self.found:5} {share:6.0%} {base:6.1%} {lift}"


def tallied(functions: Sequence[Documented]) -> tuple[dict[str, Tally], dict[str, float], int]:
    """Return the tally and the base rate of each phrase, and the number of docstrings with any."""
    tallies = {phrase.name: Tally() for phrase in PHRASES}
    knowing = 0
    for one in functions:
        found = phrases_of(one)
        knowing += bool(found)
        for phrase in found:
            tallies[phrase.name].found += 1
            tallies[phrase.name].hits += bool(re.search(phrase.construct, one.code))
    base = {
        phrase.name: sum(bool(re.search(phrase.construct, one.code)) for one in functions) / max(1, len(functions))
        for phrase in PHRASES
    }
    return tallies, base, knowing


def summed(name: str, count: int, counted: tuple[dict[str, Tally], dict[str, float], int]) -> float:
    """Print the sums of one set of docstrings; return the lift of all telling phrases together."""
    tallies, base, knowing = counted
    telling = [phrase.name for phrase in PHRASES if phrase.telling]
    found, hits = (sum(getattr(tallies[each], what) for each in telling) for what in ("found", "hits"))
    expected = sum(tallies[each].found * base[each] for each in telling)
    share = hits / max(1, found)
    print(
        f"{name}: {count} docstrings, {knowing} with a phrase ({knowing / max(1, count):.0%}); "
        f"telling phrases {found}, hits {hits} ({share:.0%}), by chance {expected / max(1, found):.0%}"
    )
    return hits / expected if expected else 0.0


def refusals(functions: Sequence[Documented]) -> None:
    """Print how many docstrings ask for a refusal, and how many of these are read."""
    asked = [(one, each) for one in functions for each in asked_for(one.docstring)]
    made = [(one, each) for one, each in asked if one.parameters and any(_readings(one, each.words))]
    raising = sum(f"raise {each.error}" in one.code for one, each in asked)
    count = max(1, len(asked))
    docstrings = len({id(one) for one, _ in asked})
    print(
        f"refusals asked for: {len(asked)} in {docstrings} docstrings; raised by the code itself "
        f"{raising} ({raising / count:.0%}); read as a condition {len(made)} ({len(made) / count:.0%})"
    )


def _readings(one: Documented, words: str) -> list[str]:
    return [reading.condition for reading in conditions(words, Parameters.of(one.parameters, []))]


def promises(part: str, stubs: Sequence[tuple[Documented, dict[str, Any]]]) -> float:
    """Print how many promises the true solutions keep; return their share among those that say something."""
    kept = broken = mute = 0
    rows = [(one, row) for one, row in stubs if "base_input" in row]
    for one, row in rows:
        for promise in promises_in(one.docstring):
            seen = {keeps(promise, given, result) for given, result in _results(row)}
            kept += seen in ({True}, {True, None})
            broken += False in seen
            mute += seen <= {None}
            if False in seen and part == PARTS[0]:
                print(f"  broken by the true solution: {promise.name} of {one.name}")
    share = kept / max(1, kept + broken)
    print(
        f"{part}: {kept + broken + mute} promises of {len(rows)} stubs; kept {kept}, broken {broken} ({share:.0%} kept)"
    )
    return share


def _results(row: dict[str, Any]) -> Iterator[tuple[Sequence[Any], Any]]:
    module: dict[str, Any] = {}
    exec(row["canonical_solution"], module)
    for inputs in (row["base_input"], row["plus_input"]):
        for given in ast.literal_eval(inputs) if isinstance(inputs, str) else inputs:
            try:
                result = module[row["entry_point"]](*copy.deepcopy(given))
            except Exception:  # noqa: BLE001 - an input that the true solution refuses
                continue
            yield given, result


def main() -> None:
    """Measure, print, and check the bars."""
    parser = argparse.ArgumentParser(description="Measure how often the grammar knows a phrase, and is right.")
    parser.add_argument("--data", type=Path, default=None, help="the folder with the sets of stubs")
    parser.add_argument("--bars", action="store_true", help="fail unless validation meets the bars")
    chosen = parser.parse_args()
    if chosen.bars and not chosen.data:
        parser.error("--bars needs --data: the bars are for the stubs")
    functions = installed()
    parts = {part: stubs_in(chosen.data, part) if chosen.data else [] for part in PARTS}
    counted = tallied(functions)
    own = {part: tallied([one for one, _ in stubs]) for part, stubs in parts.items()}
    print(f"{'':24} {'packages':>26}   {'development stubs':>26}")
    heads = f"{'found':>5} {'hits':>6} {'base':>6} {'lift':>5}"
    print(f"{'phrase':24} {heads}   {heads}")
    for phrase in PHRASES:
        columns = [tallies[phrase.name].text(base[phrase.name]) for tallies, base, _ in (counted, own[PARTS[0]])]
        print(f"{phrase.name:24} {'   '.join(columns)}")
    print()
    summed("packages", len(functions), counted)
    refusals(functions)
    if not chosen.data:
        return
    lifts = [summed(part, len(parts[part]), own[part]) for part in PARTS]
    kept = [promises(part, parts[part]) for part in PARTS]
    if chosen.bars and (lifts[1] < BAR_LIFT or kept[1] < BAR_KEPT):
        raise SystemExit(f"validation misses a bar: a lift of {BAR_LIFT}, and {BAR_KEPT:.0%} of promises kept")


if __name__ == "__main__":
    main()
