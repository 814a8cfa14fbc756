"""Checks how often each level of evidence is right: winners of the command on public sets, by their level.

    python tests/benchmarks/levels.py [--set NAME …] [--part development|validation|all] [--data PATH] [--only NAME]
                                      [--json FILE]

The sets are QuixBugs, HumanEvalFix, and the stubs of MBPP+ and HumanEval, each function a project on disk. A winner is
right if it also passes what neither the search nor its tests have seen, by the set's own judge. The rule was chosen on
`development` alone; a hash of the name decides: three of five functions are `development`.

The bars, over all sets of a part: of at least 20 winners called strong 95 % are right, of at least 20 called weak 60 %.
Exit code 1 says that a part misses one, or has too few winners of such a level to tell; a run for `--only` one function
or for one `--set` usually has. With --json a run that was interrupted goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import humanevalfix
import quixbugs
import stubs
from near_misses import PARTS, part_of

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ("strong", "fair", "weak")
BARS = {"strong": 0.95, "weak": 0.6}
ENOUGH = 20
"""Winners of a level that a part has at least for the share that is right to say something."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Set:
    """A set of functions: its file, the seconds of one search, and what measures one; `right` reads the measurement."""

    file: str
    seconds: float
    measure: Callable[[Row, float], Row]
    right: Callable[[Row], bool]


def is_solved(one: Row) -> bool:
    """Return True if the winner of a stub passes the hidden tests."""
    return bool(one["solved"])


SETS = {
    "quixbugs": Set("quixbugs.jsonl", 20.0, quixbugs.measure, lambda one: bool(one["correct"])),
    "humanevalfix": Set(
        "humanevalfix_even.jsonl", 20.0, humanevalfix.measure, lambda one: one["correct"][:1] == [True]
    ),
    "mbpp": Set("mbpp_stubs_even_rows.jsonl", 6.0, partial(stubs.measure, "mbpp", alone=False), is_solved),
    "humaneval": Set("humaneval_stubs_even.jsonl", 10.0, partial(stubs.measure, "humaneval", alone=False), is_solved),
}


def name_of(row: Row) -> str:
    """Return the name of a function, which decides its part."""
    return str(row.get("name") or row["task_id"])


def measured(kind: str, row: Row) -> Row:
    """Search for one function and return the level of its winner, and whether that is right."""
    one = SETS[kind].measure(row, SETS[kind].seconds)
    name = name_of(row)
    right = one["winner"] is not None and SETS[kind].right(one)
    level = one["level"] if one["winner"] is not None else ""
    return {"set": kind, "name": name, "part": part_of(name), "level": level, "right": right}


def line(found: list[Row]) -> str:
    """Return the figures of some winners: how many of each level are right."""
    said = []
    for level in LEVELS:
        of_level = [one["right"] for one in found if one["level"] == level]
        share = f"{sum(of_level) / len(of_level):4.0%}" if of_level else "   –"
        said.append(f"{level} {sum(of_level):3} of {len(of_level):3} {share}")
    return ", ".join(said)


def reached(found: list[Row]) -> bool:
    """Return True if each level with a bar has enough winners, and enough of them are right."""
    shares = {level: [one["right"] for one in found if one["level"] == level] for level in BARS}
    return all(
        len(shares[level]) >= ENOUGH and sum(shares[level]) >= bar * len(shares[level]) for level, bar in BARS.items()
    )


def main() -> int:
    """Measure the functions that were asked for; print a line for each set and part, and return the exit code."""
    parser = argparse.ArgumentParser(description="Check how often each level of evidence is right.")
    parser.add_argument("--set", action="append", choices=tuple(SETS), help="which functions; repeatable")
    parser.add_argument("--part", choices=(*PARTS, "all"), default="development", help="functions by a hash")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data", help="folder of the sets")
    parser.add_argument("--only", default="", help="one function's name")
    parser.add_argument("--json", type=Path, default=None, help="also keep every measurement here, and go on from them")
    chosen = parser.parse_args()
    found: list[Row] = []
    if chosen.json and chosen.json.exists():
        found = json.loads(chosen.json.read_text(encoding="utf-8"))
    known = {(one["set"], one["name"]) for one in found}
    for kind in chosen.set or SETS:
        rows = map(json.loads, (chosen.data / SETS[kind].file).read_text(encoding="utf-8").splitlines())
        for row in rows:
            name = name_of(row)
            asked = chosen.part in ("all", part_of(name)) and chosen.only in ("", name)
            if not asked or (kind, name) in known:
                continue
            found.append(one := measured(kind, row))
            words = f"{one['level']:6} {'right' if one['right'] else 'wrong'}" if one["level"] else "nothing verified"
            print(f"{kind:12} {name:28} {words}", flush=True)
            if chosen.json:
                chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    parts = [part for part in PARTS if any(one["part"] == part for one in found)]
    for part in parts:
        of_part = [one for one in found if one["part"] == part]
        for kind in dict.fromkeys(one["set"] for one in of_part):
            print(f"{part:12} {kind:13} {line([one for one in of_part if one['set'] == kind])}")
        print(f"{part:12} {'all':13} {line(of_part)}")
    return 0 if parts and all(reached([one for one in found if one["part"] == part]) for part in parts) else 1


if __name__ == "__main__":
    sys.exit(main())
