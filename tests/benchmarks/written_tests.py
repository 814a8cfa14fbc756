"""Measures the tests that `certo tests` writes: their mutation score, number, force and processor time.

    python tests/benchmarks/written_tests.py [--data FOLDER] [--part development] [--set typed] [--pynguin COMMAND]

`typed` are ten annotated functions, `others` forty; each is a project without tests. The judge's mutants are made by
the classical operators, see `classical_mutants`, and count if an input of the data set shows them. With --pynguin, the
same is done with its tests, after at most 30 s of search with one seed. --part is decided by a hash of the name:
nobody tunes on `validation`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from classical_mutants import classical_mutants

DATA = Path("../shared/data")
SIZES = {"typed": 10, "others": 40}
MAX_INPUTS = 150
RUNS = 3


def part_of(name: str) -> str:
    """Return the part of the data that a function belongs to."""
    return ("development", "validation")[hashlib.sha256(name.encode()).digest()[0] % 2]


def functions(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the functions of each set, in an order given by a hash of their names."""
    rows = [json.loads(line) for line in (folder / "humanevalfix_even.jsonl").read_text("utf-8").splitlines()]
    found: dict[str, list[dict[str, Any]]] = {"typed": [], "others": []}
    for row in sorted(rows, key=lambda row: hashlib.sha256(row["name"].encode()).hexdigest()):
        tree = ast.parse(row["correct"])
        function = next(node for node in tree.body if getattr(node, "name", "") == row["entry_point"])
        is_typed = all(argument.annotation is not None for argument in function.args.args)
        kind = "typed" if is_typed and len(found["typed"]) < SIZES["typed"] else "others"
        if len(found[kind]) < SIZES[kind]:
            found[kind].append(row)
    return found


def spent(command: list[str], folder: Path, seconds: float, environment: dict[str, str]) -> tuple[float, str]:
    """Return the processor seconds of a command with all its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=seconds, env=environment, check=False
        )
        said = done.stdout or done.stderr
    except subprocess.TimeoutExpired:
        said = "timed out"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said


def project(row: dict[str, Any], folder: Path) -> str:
    """Write the function as a project; return the name of its module."""
    module = f"m_{row['name']}"
    (folder / f"{module}.py").write_text(row["correct"], encoding="utf-8")
    (folder / "pyproject.toml").write_text('[project]\nname = "one"\nversion = "1"\n', encoding="utf-8")
    return module


def certo_tests(row: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the tests that the command writes."""
    module = project(row, folder)
    command = [sys.executable, "-m", "certo", "tests", f"{module}.py::{row['entry_point']}", "--apply", "--json"]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    seconds, said = spent(command, folder, 120, environment)
    try:
        written = json.loads(said.splitlines()[-1])["written"]
    except (json.JSONDecodeError, IndexError, KeyError):
        return {"seconds": seconds, "text": "", "tests": 0, "why": said[-200:], "flaky": 0}
    text = (folder / written["path"]).read_text("utf-8") if written["tests"] else ""
    environment["PYTHONPATH"] = str(folder)
    flaky = 0
    for seed in range(RUNS if text else 0):
        _, said = spent(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", written["path"]],
            folder,
            60,
            {**environment, "PYTHONHASHSEED": str(seed * 7)},
        )
        flaky += " failed" in said or " error" in said
    own = {"own_mutants": written["mutants"], "own_noticed": written["noticedAfter"]}
    return {
        "seconds": seconds,
        "text": text,
        "tests": len(written["tests"]),
        "why": written["reason"],
        "rejected": written["rejected"],
        "flaky": flaky,
        **own,
    }


def pynguin_tests(row: dict[str, Any], folder: Path, program: str) -> dict[str, Any]:
    """Return the tests that Pynguin writes."""
    module = project(row, folder)
    out = folder / "out"
    command = [program, "--project-path", str(folder), "--output-path", str(out), "--module-name", module]
    command += ["--maximum-search-time", "30", "--seed", "1"]
    seconds, said = spent(command, folder, 240, {**os.environ, "PYNGUIN_DANGER_AWARE": "1"})
    file = next(out.glob("test_*.py"), None)
    text = file.read_text("utf-8") if file else ""
    tests = sum(line.startswith("def test") for line in text.splitlines())
    return {"seconds": seconds, "text": text, "tests": tests, "why": "" if tests else said[-200:]}


def judge(row: dict[str, Any], tools: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what the judge says of the tests of each tool."""
    case = {
        "module": f"m_{row['name']}",
        "name": row["entry_point"],
        "source": row["correct"],
        "mutants": list(classical_mutants(row["correct"], row["entry_point"])),
        "inputs": row["plus_inputs"][:MAX_INPUTS],
        "tests": {name: tool["text"] for name, tool in tools.items()},
    }
    command = [sys.executable, str(Path(__file__).with_name("written_tests_judge.py"))]
    done = subprocess.run(command, input=json.dumps(case), capture_output=True, text=True, timeout=900, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def measure(row: dict[str, Any], pynguin: str | None) -> dict[str, Any]:
    """Return what was measured of one function."""
    tools = {}
    with tempfile.TemporaryDirectory() as folder:
        tools["certo"] = certo_tests(row, Path(folder))
    if pynguin:
        with tempfile.TemporaryDirectory() as folder:
            tools["pynguin"] = pynguin_tests(row, Path(folder), pynguin)
    return {"name": row["name"], "part": part_of(row["name"]), **judge(row, tools), "tools": tools}


def summary(rows: list[dict[str, Any]], tool: str) -> str:
    """Return the figures of one tool in words."""
    killable = sum(row["killable"] for row in rows)
    noticed = sum(row["noticed"][tool] for row in rows)
    seconds = [row["tools"][tool]["seconds"] for row in rows]
    tests = [row["tools"][tool]["tests"] for row in rows]
    red = sum(row["red"][tool] != "[]" for row in rows)
    return (
        f"{tool}: {noticed} of {killable} mutants ({100 * noticed / max(1, killable):.1f} %), "
        f"{sum(tests)} tests, at most {max(tests)}, {sum(seconds):.1f} CPU s, median {statistics.median(seconds):.2f}, "
        f"{tests.count(0)} without tests, {red} red on the original"
    )


def main() -> None:
    """Measure, and print one line a function and the figures of each set and part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--part", choices=("development", "validation"))
    parser.add_argument("--set", choices=tuple(SIZES))
    parser.add_argument("--only")
    parser.add_argument("--pynguin")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    for kind, rows in functions(arguments.data).items():
        if arguments.set in (None, kind):
            wanted = [row for row in rows if arguments.part in (None, part_of(row["name"]))]
            wanted = [row for row in wanted if arguments.only in (None, row["name"])]
            found = []
            for row in wanted:
                found.append(measure(row, arguments.pynguin))
                one = found[-1]
                said = " ".join(
                    f"{tool} {one['noticed'][tool]}/{one['killable']} {said['tests']} tests {said['seconds']:.2f} s"
                    f" {said['why']}"
                    for tool, said in one["tools"].items()
                )
                print(f"{one['name']:<10} {one['part']:<11} {said}", flush=True)
            if arguments.json:
                arguments.json.with_suffix(f".{kind}.json").write_text(json.dumps(found), encoding="utf-8")
            for part in ("development", "validation", None):
                chosen = [row for row in found if part in (None, row["part"])]
                for tool in chosen[0]["tools"] if chosen else ():
                    print(f"{kind}, {part or 'both'} ({len(chosen)}): {summary(chosen, tool)}")


if __name__ == "__main__":
    main()
