"""Near misses of a scripted model, for the built-in generator to repair: the right program with a bug from a seed.

    python tests/benchmarks/near_misses.py [--set quixbugs|humanevalfix …] [--text stub|buggy …] [--part PART]
        [--data FOLDER] [--seed 0] [--delay 2] [--seconds 60] [--only NAME] [--json FILE]

The user's text is a stub of the function, or the function with the set's own bug, as a hash of its name says. The
model of `certo generate --model` answers with one near miss, `--delay` seconds after each question, and with the same
again whenever it is asked: the right program with another comparison, operator, connective, constant or variable, or
without a call or a statement, as `put_in.py` draws them. Of the draws the first counts that fails a test; in a function
with the set's own bug, it is in another line. Nothing else can end such a search than an edit of the near miss.

`verified` counts the searches that end with a verified candidate, `repaired` those that end with an edit that is right
by the set's own judge, `wrong` the verified ones that are not right. `calls` are the questions to the model. The bars:
half of the near misses of each part are repaired, and at most a tenth of those verified are wrong. Exit code 1 says
that a part with at least 20 near misses misses one. --part is decided by a hash of the name: three of five
are `development`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import humanevalfix
import put_in
import quixbugs
from asking import edited

from support.projects.bare_environment import bare_python

ROOT = Path(__file__).resolve().parents[2]
SETS: dict[str, Any] = {"quixbugs": quixbugs, "humanevalfix": humanevalfix}
TEXTS = ("stub", "buggy")
PARTS = ("development", "validation")
BAR, MOST_WRONG, ENOUGH = 0.5, 0.1, 20
ANSWERS = 12
"""The number of times that the model has its answer: more than any search asks for."""

START_SECONDS = 60.0


def digest_of(name: str) -> bytes:
    """Return a hash of a function's name."""
    return hashlib.sha256(name.encode()).digest()


def part_of(name: str) -> str:
    """Return the part of the set that a function is in."""
    return PARTS[digest_of(name)[0] % 5 > 2]


def function_of(text: str, name: str) -> ast.FunctionDef:
    """Return the function of a program."""
    return next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)


def stub_of(text: str, name: str, doc: str) -> str:
    """Return a program with the function's head, its documentation in words, and nothing to run.

    Examples are left out: the tests make them, and some of the sets' are no doctests that the right program passes.
    """
    lines, function = text.splitlines(), function_of(text, name)
    doc = doc.partition(">>>")[0]
    head = "\n".join(lines[: function.body[0].lineno - 1])
    told = textwrap.indent(f'"""{doc.strip()}\n"""', "    ") if doc.strip() and '"""' not in doc else ""
    body = "\n".join(filter(None, [told, "    raise NotImplementedError"]))
    return "\n".join([head, body, *lines[function.end_lineno :]]) + "\n"


def near_misses(row: dict[str, Any], text: str, draws: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the right program with one bug each, in the order of the draws, and the kind of each bug."""
    right = row["correct"].splitlines()
    taken = {number for number, line in enumerate(right, 1) if line not in row["buggy"].splitlines()}
    bugs = sorted(set(put_in.bugs_in(function_of(row["correct"], row["entry_point"]), right, draws)))
    draws.shuffle(bugs)
    for number, before, after, kind in bugs:
        if text == "stub" or number not in taken:
            line = right[number - 1].replace(before, after)
            yield "\n".join([*right[: number - 1], line, *right[number:]]) + "\n", kind


def fails(which: Any, row: dict[str, Any], source: str) -> bool:
    """True if a program fails a test of the project, within ten seconds."""
    with tempfile.TemporaryDirectory() as folder:
        program = which.write_project(row, Path(folder))
        program.write_text(source, encoding="utf-8")
        command = [bare_python(), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"test_{program.name}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            return True
    return done.returncode == 1


def drawn(which: Any, row: dict[str, Any], text: str, seed: int) -> tuple[str, str] | None:
    """Return the first near miss that fails a test; None if no bug does, or the user's text fails none."""
    if text == "buggy" and not fails(which, row, row["buggy"]):
        return None
    draws = random.Random(f"{seed} {row['name']}")
    return next((each for each in near_misses(row, text, draws) if fails(which, row, each[0])), None)


def search(target: str, folder: Path, near_miss: str, chosen: argparse.Namespace) -> list[dict[str, Any]]:
    """Run `certo generate` with the scripted model; return its events."""
    reply = {"text": [f"```python\n{near_miss}```"], "gapSeconds": chosen.delay}
    (folder / "answers.json").write_text(json.dumps([reply] * ANSWERS), encoding="utf-8")
    (folder / ".venv").symlink_to(bare_python().parents[1])
    command = [sys.executable, "-m", "certo", "generate", target, "--json", "--timeout", f"{chosen.seconds:g}"]
    command += ["--model", f"scripted:{folder / 'answers.json'}"]
    patience = 10 * chosen.seconds + START_SECONDS
    done = subprocess.run(
        command, cwd=folder, env=dict(os.environ), capture_output=True, text=True, timeout=patience, check=False
    )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events or events[-1]["type"] != "search.stopped":
        raise SystemExit(f"{target}: {done.stderr.strip()[-500:]}")
    return events


def is_right(which: Any, row: dict[str, Any], source: str) -> bool:
    """True if the set's own judge takes a program for right."""
    return bool(which.judged(row, source)["correct"] if which is quixbugs else which.is_correct(row, source))


def measure(which: Any, row: dict[str, Any], text: str, chosen: argparse.Namespace) -> dict[str, Any] | None:
    """Search once; return what came of it, or None if the function has no near miss."""
    near_miss = drawn(which, row, text, chosen.seed)
    if near_miss is None:
        return None
    source, kind = near_miss
    with tempfile.TemporaryDirectory() as folder:
        program = which.write_project(row, Path(folder))
        if text == "stub":
            program.write_text(stub_of(row["correct"], row["entry_point"], row["doc"]), encoding="utf-8")
        before = program.read_text(encoding="utf-8")
        began = time.perf_counter()
        events = search(f"{program.name}::{row['entry_point']}", Path(folder), source, chosen)
        took = time.perf_counter() - began
    last, proposed = events[-1], [each for each in events if each["type"] == "candidate.proposed"]
    winner = last["winner"]["source"] if last["verified"] else None
    shown = {edited(before, each["edits"]) for each in proposed if each["origin"]["generator"] == "builtin"}
    right = winner is not None and is_right(which, row, winner)
    return {
        "name": row["name"],
        "text": text,
        "part": part_of(row["name"]),
        "kind": kind,
        "seconds": took,
        "calls": last["spent"]["calls"],
        "verified": winner is not None,
        "repaired": winner in shown and right,
        "wrong": winner is not None and not right,
        "note": next((each["origin"]["note"] for each in proposed if each["origin"]["generator"] == "builtin"), ""),
        "sentence": last["sentence"],
    }


def report(part: str, rows: list[dict[str, Any]]) -> bool:
    """Print the figures of one part; False if it misses a bar."""
    of, repaired, verified = len(rows), sum(row["repaired"] for row in rows), sum(row["verified"] for row in rows)
    wrong = sum(row["wrong"] for row in rows)
    enough, few = repaired >= BAR * of, wrong <= MOST_WRONG * verified
    median = statistics.median(row["seconds"] for row in rows)
    calls = statistics.mean(row["calls"] for row in rows)
    print(
        f"{part:12} repaired {repaired} of {of} = {repaired / of:.0%} (bar: {BAR:.0%}, {held(enough)}), "
        f"wrong {wrong} of {verified} verified = {wrong / max(1, verified):.0%} (bar: {MOST_WRONG:.0%}, {held(few)}), "
        f"median {median:.1f} s, {calls:.1f} calls"
    )
    return (enough and few) or of < ENOUGH


def held(is_held: bool) -> str:
    """Return whether a bar is held, in a word."""
    return "held" if is_held else "MISSED"


def cases(chosen: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the set, the function and the user's text of each search that was asked for."""
    for name in chosen.set or SETS:
        path = chosen.data / SETS[name].DATA.name
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if chosen.only in ("", row["name"]) and chosen.part in ("all", part_of(row["name"])):
                for text in chosen.text or [TEXTS[digest_of(row["name"])[1] % 2]]:
                    yield name, row, text


def main() -> int:
    """Measure the functions that were asked for, print a line for each and for each part; 1 if one misses a bar."""
    chosen = arguments()
    found: list[dict[str, Any]] = []
    for name, row, text in cases(chosen):
        one = measure(SETS[name], row, text, chosen)
        if one is None:
            print(f"{row['name']:28} {text:5} has no near miss that a test notices", flush=True)
            continue
        found.append({"set": name, **one})
        word = "repaired" if one["repaired"] else "wrong" if one["wrong"] else "-"
        rest = f"{one['seconds']:5.1f} s {one['calls']} calls  {one['kind']}: {one['note'] or one['sentence']}"
        print(f"{row['name']:28} {text:5} {word:7} {rest}", flush=True)
        if chosen.json:
            chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    reached = []
    for part in PARTS:
        of_part = [one for one in found if one["part"] == part]
        for kind in sorted({(one["set"], one["text"]) for one in of_part}):
            print(f"{' '.join(kind):22}", end="")
            report(part, [one for one in of_part if (one["set"], one["text"]) == kind])
        if of_part:
            print(f"{'all':22}", end="")
            reached.append(report(part, of_part))
    return 0 if all(reached) else 1


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Have near misses of a scripted model repaired, and judge them.")
    parser.add_argument("--set", action="append", choices=tuple(SETS), help="which functions; repeatable")
    parser.add_argument("--text", action="append", choices=TEXTS, help="what the user has, in place of the hash")
    parser.add_argument("--part", choices=(*PARTS, "all"), default="development", help="functions by a hash")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data", help="folder of the sets")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draws")
    parser.add_argument("--delay", type=float, default=2.0, help="seconds that the model takes for an answer")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of one search")
    parser.add_argument("--only", default="", help="one function's name")
    parser.add_argument("--json", type=Path, default=None, help="also write every measurement here")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
