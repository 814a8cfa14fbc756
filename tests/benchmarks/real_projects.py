"""Real bugs of real projects: each fix's commit checked out, its bug put back, and the command asked to repair it.

    python tests/benchmarks/real_projects.py --clones FOLDER --cache FOLDER [--facts FILE.jsonl …]
        [--measure oracle,verify,builtin] [--part development|validation|all] [--repo NAME …] [--only NAME]
        [--at-most 60] [--seconds 60] [--position 4] [--json FILE.jsonl]

FOLDER of `--clones` has the repositories as `name`, `owner+name` or `owner/name`. Each line of the facts is a JSON
object with `repo`, `commit`, `file`, `function` and `tests`. With `line`, `before`, `after` and `kind` its bug is put
in by hand: `before` stands once in that line of the file, and `after` takes its place. `--facts` may be given several
times; without it, the facts are `real/put_in.jsonl`, the bugs put in by hand. The folder of `--cache` keeps a work tree
and an environment for each repository, and what the runs of the tests told. A fix whose tests do not notice the bug
there is counted as unusable, with the reason.

- **oracle**: a scripted model answers with near misses, which fail a test that the fix passes, and with the true fix as
  its answer number `--position`. It measures the verdict alone. `units` are the seconds from the true fix's proposal to
  the end of the search, divided by those that `python -m pytest` takes for the tests that reach the function.
- **verify**: `certo verify` of the true fix, the first and the second time, in the same units.
- **builtin**: the built-in generator. A found fix is right if it has the true fix's syntax tree, or passes all tests
  that the fix passes, and returns what the fix returns for the calls of the tests and for mixtures of their arguments.
  A bug is wrongly refused if no edit was tried on it, or if the true fix was proposed and not verified.

The bars of a part hold if at least 20 fixes are measured: of 60 true fixes 58 are verified, no near miss is, and the
median is at most 2 units; 3 and 1.5 units for `verify`; 40 % found and 85 % of those right for `builtin`.
Exit code 1 says that one is missed. The programs of the projects run unconfined for what pytest alone measures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from real import measures
from real.cases import Fix, Unusable, check_out, clone_of, in_turns, read_facts
from real.environments import link, packages_of, python_of
from real.kept import Kept

ENOUGH = 20
PUT_IN = Path(__file__).parent / "real/put_in.jsonl"
PARTS = ("development", "validation")


def bars(measure: str, rows: list[dict[str, Any]]) -> list[tuple[str, bool]]:
    """Return each bar of a measurement in words with its figure, and if it is held."""
    of = len(rows)
    if measure == "builtin":
        found, right = sum(row["found"] for row in rows), sum(row["right"] for row in rows)
        refused, processor = sum(row["refused"] for row in rows), median(rows, "processor")
        return [
            (f"found {found} of {of} (bar: 40 %)", found >= 0.4 * of),
            (f"right {right} of {found} found (bar: 85 %)", right >= 0.85 * found),
            (f"wrongly refused {refused}, median {processor} processor seconds (no bar)", True),
        ]
    verified = sum(row["verified"] for row in rows)
    units = median(rows, "units")
    if measure == "verify":
        again = median(rows, "unitsAgain")
        return [
            (f"true fix verified {verified} of {of} (bar: 58 of 60)", verified * 60 >= 58 * of),
            (f"first time {units} units (bar: 3)", units <= 3),
            (f"second time {again} units (bar: 1.5)", again <= 1.5),
        ]
    wrong, misses = sum(row["missesVerified"] for row in rows), sum(row["missesJudged"] for row in rows)
    return [
        (f"true fix verified {verified} of {of} (bar: 58 of 60)", verified * 60 >= 58 * of),
        (f"near miss verified {wrong} of {misses} (bar: 0)", wrong == 0),
        (f"median {units} units after the answer (bar: 2)", units <= 2),
    ]


def median(rows: list[dict[str, Any]], key: str) -> float:
    """Return the median of a figure over the rows that have it; infinity if none has."""
    return round(statistics.median([row[key] for row in rows if row[key] is not None] or [float("inf")]), 2)


def measured(fix: Fix, chosen: argparse.Namespace, chosen_measures: list[str]) -> dict[str, dict[str, Any]]:
    """Return each measurement of a fix by its name.

    Raises:
        Unusable: The fix cannot be measured here.
    """
    clone = clone_of(fix.repo, chosen.clones, chosen.cache)
    python = python_of(fix.repo, clone)
    case = check_out(fix, clone)
    link(python, clone, fix.file)
    kept = Kept(chosen.cache / "facts", fix, packages_of(python))
    prepared = measures.prepare(case, python, kept)
    run: dict[str, Callable[[], dict[str, Any]]] = {
        "oracle": lambda: measures.oracle(prepared, chosen.position, chosen.seconds),
        "verify": lambda: measures.verify(prepared),
        "builtin": lambda: measures.builtin(prepared, chosen.seconds),
    }
    return {name: run[name]() for name in chosen_measures}


def line_of(measure: str, row: dict[str, Any]) -> str:
    """Return one measurement as a line."""
    if measure == "builtin":
        word = "right" if row["right"] else "wrong" if row["found"] else "refused" if row["refused"] else "-"
        rest = f"{row['processor']:6.1f} CPU s {row['megabytes']:5} MB  {row['whyWrong'] or row['said']}"
    else:
        word = "verified" if row["verified"] else "-"
        units = f"{row['units']:.2f}" if row["units"] is not None else "-"
        rest = f"{units:>6} units of {row['unit']:.2f} s  {row['said']}"
    return f"{row['name']:60} {measure:8} {word:9} {row['seconds']:6.1f} s {rest}"


def main() -> int:
    """Measure the fixes that were asked for; print a line for each and the bars of each part."""
    chosen = arguments()
    chosen_measures = chosen.measure.split(",")
    fixes = [fix for facts in chosen.facts or [PUT_IN] for fix in read_facts(facts) if wanted(fix, chosen)]
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in chosen_measures}
    unusable = 0
    for fix in in_turns(fixes):
        if max(map(len, rows.values())) >= chosen.at_most:
            break
        try:
            found = measured(fix, chosen, chosen_measures)
        except Unusable as error:
            unusable += 1
            print(f"{fix.name:60} unusable: {error}", flush=True)
            continue
        for measure, row in found.items():
            rows[measure].append(row)
            print(line_of(measure, row), flush=True)
            if chosen.json:
                with chosen.json.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"measure": measure, **row}) + "\n")
    print(f"\n{unusable} unusable")
    held = [report(measure, part, rows[measure]) for measure in chosen_measures for part in PARTS]
    return 0 if all(held) else 1


def report(measure: str, part: str, rows: list[dict[str, Any]]) -> bool:
    """Print the bars of one part of the fixes, and the figures of each origin; False if enough fixes miss a bar."""
    of_part = [row for row in rows if row["part"] == part]
    if not of_part:
        return True
    held = bars(measure, of_part)
    for words, holds in held:
        print(f"{measure:8} {part:12} {'held' if holds else 'MISSED'}: {words}")
    origins = sorted({row["origin"] for row in of_part})
    for origin in origins if len(origins) > 1 else []:
        for words, _ in bars(measure, [row for row in of_part if row["origin"] == origin]):
            print(f"{measure:8} {part:12} {origin}: {words}")
    return len(of_part) < ENOUGH or all(holds for _, holds in held)


def wanted(fix: Fix, chosen: argparse.Namespace) -> bool:
    """True if a fix was asked for."""
    if chosen.only:
        return fix.commit.startswith(chosen.only) or fix.name == chosen.only
    in_part = chosen.part in ("all", fix.part)
    return in_part and (not chosen.repo or fix.repo.rpartition("/")[2] in chosen.repo)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Repair real bugs of real projects, with and without an oracle model.")
    parser.add_argument("--clones", type=Path, required=True, help="folder of clones, bare or not")
    parser.add_argument("--facts", type=Path, action="append", default=[], help="fixes, one a line; repeatable")
    parser.add_argument("--cache", type=Path, required=True, help="folder for work trees and environments, kept")
    parser.add_argument("--measure", default="oracle,verify,builtin", help="measurements, separated by commas")
    parser.add_argument("--part", choices=(*PARTS, "all"), default="development", help="fixes by a hash of their name")
    parser.add_argument("--repo", action="append", default=[], help="a repository's name without its owner; repeatable")
    parser.add_argument("--only", default="", help="one commit, or one name as it is reported")
    parser.add_argument("--at-most", type=int, default=60, help="number of fixes measured")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of one search")
    parser.add_argument("--position", type=int, default=4, help="number of the oracle's answer that is the true fix")
    parser.add_argument("--json", type=Path, default=None, help="append every measurement to this file")
    chosen = parser.parse_args()
    chosen.clones, chosen.cache = chosen.clones.resolve(), chosen.cache.resolve()
    return chosen


if __name__ == "__main__":
    sys.exit(main())
