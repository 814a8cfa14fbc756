"""Searches on a busy machine, against the same on a quiet one; and ten searches at once, against one alone.

    python tests/benchmarks/busy.py [--part load|crowd] [--searches 8] [--loops 16] [--rounds 3]

`load`: small searches by the command, first as the machine is and then beside endless loops, each loop in a session of
its own as the programs of other terminals are. All that succeed quietly must succeed beside the loops (bar: all), and
take at most 6 times as long, each by itself (bar: 6). `crowd`: searches in one daemon until their first candidate is
proposed: one alone, and the first of ten that start at once (bar: 1.5 times as long). Each figure of `crowd` is the
least of several. Another load on the machine spoils both parts, so it is printed. Exits with 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.lsp.editor import Editor, editor_on
from support.lsp.search_client import attach, events, rich, start

MAX_SLOWER, MAX_CROWD = 6.0, 1.5
"""The bars: beside the loops against quiet, and the first of ten searches against one alone."""

PATIENCE = 1800.0
"""Seconds after which a search counts as one that hangs."""

LOOP = "while True: pass"

BUGS = (
    ("total", "prices", "sum(prices) + 1", [("[1, 2]", "3"), ("[]", "0"), ("[5]", "5")]),
    ("largest", "values", "min(values)", [("[1, 7, 3]", "7"), ("[2]", "2"), ("[-1, -5]", "-1")]),
    ("is_even", "number", "number % 2 == 1", [("2", "True"), ("3", "False"), ("0", "True")]),
    ("shout", "text", "text.lower()", [("'ab'", "'AB'"), ("''", "''"), ("'x1'", "'X1'")]),
    ("last", "values", "values[0]", [("[1, 7, 3]", "3"), ("[2]", "2"), ("'abc'", "'c'")]),
    ("area", "side", "side + side", [("3", "9"), ("2", "4"), ("5", "25")]),
    ("descending", "values", "sorted(values)", [("[1, 3, 2]", "[3, 2, 1]"), ("[]", "[]"), ("[4]", "[4]")]),
    ("middle", "values", "values[len(values) // 3]", [("[1, 2, 3]", "2"), ("[7]", "7"), ("'abcde'", "'c'")]),
    ("initial", "name", "name[1]", [("'Ada'", "'A'"), ("'b'", "'b'"), ("'xyz'", "'x'")]),
    ("half", "number", "number // 3", [("8", "4"), ("3", "1"), ("0", "0")]),
    ("first", "values", "values[1]", [("[1, 7, 3]", "1"), ("[2, 4]", "2"), ("'abc'", "'a'")]),
    ("negated", "number", "number", [("3", "-3"), ("-2", "2"), ("7", "-7")]),
)
"""Functions with one bug: name, parameter, wrong result, and calls with what they should return."""


@contextmanager
def project() -> Iterator[Path]:
    """A directory with a module and a test file for each bug."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
        for name, parameter, wrong, calls in BUGS:
            (root / f"{name}_one.py").write_text(f"def {name}({parameter}):\n    return {wrong}\n")
            tests = "".join(
                f"\n\ndef test_{name}_{number}():\n    assert {name}({given}) == {wanted}\n"
                for number, (given, wanted) in enumerate(calls)
            )
            (root / f"test_{name}.py").write_text(f"from {name}_one import {name}\n{tests}")
        yield root


@contextmanager
def loops(number: int) -> Iterator[None]:
    """Keep the machine busy with that many endless loops."""
    running: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(number):
            process = subprocess.Popen([sys.executable, "-c", LOOP], start_new_session=True)
            running.append(process)
        yield
    finally:
        for process in running:
            process.kill()
        for process in running:
            process.wait()


@dataclass(frozen=True)
class Searched:
    """One search by the command: its exit code, its seconds, and what it said at the end."""

    code: int
    seconds: float
    said: str


def search(root: Path, name: str) -> Searched:
    """Search with the command for the repair of one function."""
    command = [sys.executable, "-m", "certo", "generate", f"{name}_one.py::{name}"]
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=PATIENCE, check=False)
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return Searched(done.returncode, time.perf_counter() - began, said[-1] if said else "")


def fresh(measure: Callable[[Path], Searched]) -> Searched:
    """Measure in a new copy of the project, of which nothing is known yet."""
    with project() as root:
        return measure(root)


def under_load(searches: int, number: int) -> bool:
    """Measure each search quietly and beside the loops; print both, and return True if the bars are kept."""
    quiet, slower, lost = 0, 0.0, []
    for name, *_rest in BUGS[:searches]:
        calm = fresh(lambda root, name=name: search(root, name))
        with loops(number):
            busy = fresh(lambda root, name=name: search(root, name))
        ratio = busy.seconds / calm.seconds
        print(f"{name:12} quiet {_words(calm)}   beside {number} loops {_words(busy)}   {ratio:5.2f} times", flush=True)
        if calm.code == 0:
            quiet, slower = quiet + 1, max(slower, ratio)
            lost += [] if busy.code == 0 else [f"{name}: {busy.said}"]
    print(
        f"{quiet - len(lost)} of {quiet} succeed beside the loops (bar: all), at most {slower:.2f} times slower "
        f"(bar: {MAX_SLOWER:g})"
    )
    print("".join(f"  {line}\n" for line in lost), end="")
    return quiet == searches and not lost and slower <= MAX_SLOWER


def _words(one: Searched) -> str:
    return f"{one.seconds:6.1f} s {'found' if one.code == 0 else f'exit {one.code}'}"


async def crowded(rounds: int) -> bool:
    """Measure the first candidate of one search and of ten at once; print both, and return True if the bar is kept."""
    alone, crowd, found = [], [], 0
    for _ in range(rounds):
        # A new project and a new daemon each time: a function that was searched before is found faster.
        with project() as root:
            async with editor_on(root, client=rich()) as editor:
                for name, *_rest in BUGS:
                    await editor.open(f"{name}_one.py")
                before, single, *many = (name for name, *_rest in BUGS)
                await first_candidate(editor, [before])
                alone.append((await first_candidate(editor, [single]))[0])
                seconds, succeeded = await first_candidate(editor, many)
                crowd.append(seconds)
                found += succeeded
    ratio = min(crowd) / min(alone)
    print("seconds until a candidate is proposed: alone", *(f"{each:.2f}" for each in alone), end="; ")
    print(f"first of {len(many)}", *(f"{each:.2f}" for each in crowd))
    print(f"first of {len(many)} at once against one alone: {ratio:.2f} (bar: {MAX_CROWD:g})")
    print(f"{found} of {rounds * len(many)} find a repair (bar: all)")
    return ratio <= MAX_CROWD and found == rounds * len(many)


async def first_candidate(editor: Editor, names: list[str]) -> tuple[float, int]:
    """Start a search for each name at once, and wait for all.

    Return the seconds until any of them proposes a candidate, and how many end with a verified one.
    """
    began = time.perf_counter()
    for name in names:
        started = await start(editor, f"{name}_one.py", name, name)
        await attach(editor, started["searchId"], name)
    await editor.peer.wait_for_message(lambda message: _has(message, names, "candidate.proposed"), patience=PATIENCE)
    seconds = time.perf_counter() - began
    for name in names:
        await editor.peer.wait_for_message(
            lambda message, name=name: _has(message, [name], "search.stopped"), patience=PATIENCE
        )
    ends = [event for name in names for event in events(editor, name) if event["type"] == "search.stopped"]
    return seconds, sum(end["verified"] for end in ends)


def _has(message: dict[str, Any], tokens: list[str], kind: str) -> bool:
    params = message.get("params")
    if message.get("method") != "$/progress" or params["token"] not in tokens:
        return False
    return any(event["type"] == kind for event in params["value"])


def main() -> int:
    """Measure the parts that were asked for; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=("load", "crowd"), default=None, help="one part only")
    parser.add_argument("--searches", type=int, default=8, help="searches of the part `load`, at most 12")
    parser.add_argument("--loops", type=int, default=16, help="endless loops of the part `load`")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the part `crowd`")
    chosen = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    kept = [under_load(chosen.searches, chosen.loops)] if chosen.part in (None, "load") else []
    kept += [anyio.run(crowded, chosen.rounds)] if chosen.part in (None, "crowd") else []
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
