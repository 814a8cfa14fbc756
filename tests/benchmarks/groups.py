"""Fills eleven stubs from three scripted answers each, of which the shortest passes the weak tests and is wrong.

    python tests/benchmarks/groups.py [--only NAME] [--every-order] [--one-lane] [--json FILE]

The scripted model answers with the wrong body once and with right ones twice, which are written differently. Each case
has calls with their right results, which no test makes. `right` counts the searches that end with one of the right
bodies, `told` those in which the wrong one is named with a call on which it differs. The bar: in each of them the
majority wins, or the difference is told; and the winner is never the wrong body without a word.

With `--every-order`, each is asked three times: the wrong answer comes first, second and last. `same` has the two right
answers written alike, so that one candidate is proposed twice. With `--one-lane`, nothing is said of strategies: the
default asks for one answer, and for others only because few tests depend on the function.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SETTINGS = '[tool.pytest.ini_options]\npythonpath = ["."]\n'


@dataclass(frozen=True)
class Case:
    """One stub: its signature, what its tests assert, the bodies, and calls with their right results."""

    signature: str
    tests: tuple[str, ...]
    wrong: str
    right: tuple[str, str]
    held_out: tuple[tuple[str, object], ...]

    @property
    def name(self) -> str:
        """The function's name."""
        return self.signature.removeprefix("def ").partition("(")[0]

    def source(self, body: str) -> str:
        """The whole function with this body."""
        return f"{self.signature}\n{textwrap.indent(body, '    ')}\n"


CASES = (
    Case(
        "def median(values: list[float]) -> float:",
        ("median([5]) == 5", "median([2, 4]) == 3", "median([1, 2, 3]) == 2"),
        "return sum(values) / len(values)",
        (
            "ordered = sorted(values)\nmiddle = len(ordered) // 2\nif len(ordered) % 2:\n    return ordered[middle]\n"
            "return (ordered[middle - 1] + ordered[middle]) / 2",
            "import statistics\n\nfound = statistics.median(list(values))\nreturn found",
        ),
        (("median([1, 2, 9])", 2), ("median([9, 1, 1, 1])", 1)),
    ),
    Case(
        "def most_common(items: list[int]) -> int:",
        ("most_common([1]) == 1", "most_common([2, 2]) == 2", "most_common([1, 3, 3]) == 3"),
        "return max(items)",
        (
            "from collections import Counter\n\nreturn Counter(items).most_common(1)[0][0]",
            "best = items[0]\nfor item in items:\n    if items.count(item) > items.count(best):\n        best = item\n"
            "return best",
        ),
        (("most_common([1, 1, 3])", 1), ("most_common([5, 5, 7, 2])", 5)),
    ),
    Case(
        "def ceil_division(number: int, by: int) -> int:",
        ("ceil_division(7, 2) == 4", "ceil_division(9, 4) == 3"),
        "return number // by + 1",
        ("return -(-number // by)", "whole, rest = divmod(number, by)\nreturn whole + (1 if rest else 0)"),
        (("ceil_division(8, 2)", 4), ("ceil_division(0, 3)", 0)),
    ),
    Case(
        "def title_case(text: str) -> str:",
        ('title_case("hello") == "Hello"', 'title_case("good day") == "Good Day"'),
        "return text.title()",
        (
            'return " ".join(word[:1].upper() + word[1:].lower() for word in text.split(" "))',
            'words = []\nfor word in text.split(" "):\n    words.append(word.capitalize())\nreturn " ".join(words)',
        ),
        (('title_case("it\'s me")', "It's Me"), ('title_case("a1b c")', "A1b C")),
    ),
    Case(
        "def without_repetitions(items: list[int]) -> list[int]:",
        (
            "without_repetitions([]) == []",
            "without_repetitions([1, 1, 2]) == [1, 2]",
            "without_repetitions([3]) == [3]",
        ),
        "return sorted(set(items))",
        (
            "return list(dict.fromkeys(items))",
            "seen = []\nfor item in items:\n    if item not in seen:\n        seen.append(item)\nreturn seen",
        ),
        (("without_repetitions([3, 1, 3])", [3, 1]),),
    ),
    Case(
        "def clamp(value: int, low: int, high: int) -> int:",
        ("clamp(5, 0, 10) == 5", "clamp(-1, 0, 10) == 0"),
        "return max(low, value)",
        (
            "return max(low, min(value, high))",
            "if value < low:\n    return low\nif value > high:\n    return high\nreturn value",
        ),
        (("clamp(11, 0, 10)", 10),),
    ),
    Case(
        "def is_leap(year: int) -> bool:",
        ("is_leap(2024) is True", "is_leap(2023) is False", "is_leap(2000) is True"),
        "return year % 4 == 0",
        (
            "return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
            "if year % 400 == 0:\n    return True\nif year % 100 == 0:\n    return False\nreturn year % 4 == 0",
        ),
        (("is_leap(1900)", False), ("is_leap(100)", False)),
    ),
    Case(
        "def is_palindrome(text: str) -> bool:",
        ('is_palindrome("abba") is True', 'is_palindrome("ab") is False', 'is_palindrome("Z") is True'),
        "return text == text[::-1]",
        (
            "plain = text.lower()\nreturn plain == plain[::-1]",
            "folded = [letter.lower() for letter in text]\nreturn folded == list(reversed(folded))",
        ),
        (('is_palindrome("Anna")', True), ('is_palindrome("Aa")', True)),
    ),
    Case(
        "def chunks(items: list[int], size: int) -> list[list[int]]:",
        ("chunks([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]", "chunks([1, 2], 1) == [[1], [2]]"),
        "return [list(part) for part in zip(*[iter(items)] * size)]",
        (
            "return [items[start : start + size] for start in range(0, len(items), size)]",
            "parts = []\nrest = list(items)\nwhile rest:\n    parts.append(rest[:size])\n    rest = rest[size:]\n"
            "return parts",
        ),
        (("chunks([1, 2, 3], 2)", [[1, 2], [3]]),),
    ),
    Case(
        "def second_largest(values: list[int]) -> int:",
        ("second_largest([1, 2, 3]) == 2", "second_largest([9, 4]) == 4"),
        "return sorted(values)[-2]",
        (
            "return sorted(set(values))[-2]",
            "largest = max(values)\nreturn max(value for value in values if value < largest)",
        ),
        (("second_largest([3, 3, 1])", 1),),
    ),
    Case(
        "def word_count(text: str) -> int:",
        ('word_count("one") == 1', 'word_count("two words") == 2'),
        'return text.count(" ") + 1',
        (
            "return len(text.split())",
            "number = 0\nfor part in text.split():\n    if part:\n        number += 1\nreturn number",
        ),
        (('word_count("")', 0), ('word_count("a  b")', 2)),
    ),
)


@dataclass(frozen=True)
class Result:
    """What came of one search: the wrong body is `told` if it is named with a call on which it differs."""

    name: str
    order: str
    right: bool
    told: bool
    difference: str
    sentence: str

    @property
    def holds(self) -> bool:
        """True if the majority won, or the difference was told."""
        return self.right or self.told


def orders(case: Case, *, every: bool) -> dict[str, tuple[str, ...]]:
    """Return the bodies in the orders in which they are asked for."""
    one, other = case.right
    given = {"wrong first": (case.wrong, one, other)}
    if every:
        given |= {
            "wrong second": (one, case.wrong, other),
            "wrong last": (one, other, case.wrong),
            "same": (case.wrong, one, one),
        }
    return given


def write(case: Case, bodies: Sequence[str], root: Path) -> None:
    """Write the stub, its tests and the script."""
    (root / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    (root / "hole.py").write_text(case.source("..."), encoding="utf-8")
    tests = [f"def test_{number}():\n    assert {test}\n" for number, test in enumerate(case.tests)]
    (root / "test_hole.py").write_text("\n\n".join([f"from hole import {case.name}\n", *tests]), encoding="utf-8")
    replies = [{"source": case.source(body)} for body in bodies]
    (root / "replies.json").write_text(json.dumps(replies), encoding="utf-8")


def search(case: Case, root: Path, *, one_lane: bool) -> list[dict[str, Any]]:
    """Run `certo generate` on the script, for three candidates or with the default strategy; return its events."""
    command = [sys.executable, "-m", "certo", "generate", f"hole.py::{case.name}", "--json", "--timeout", "600"]
    command += ["--generator", "scripted", "--script", "replies.json"]
    if not one_lane:
        command += ["--strategy", "best_of", "--candidates", "3"]
    done = subprocess.run(command, cwd=root, env=dict(os.environ), capture_output=True, text=True, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events or events[-1]["type"] != "search.stopped":
        raise SystemExit(f"{case.name}: {done.stderr.strip()[-500:]}")
    return events


def is_right(case: Case, source: str) -> bool:
    """True if a filled-in stub gives the right results for the calls that no test makes."""
    wanted = [[call, result] for call, result in case.held_out]
    program = f"{source}\nassert all(eval(call) == result for call, result in {wanted!r})\n"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


def measure(case: Case, order: str, bodies: Sequence[str], *, one_lane: bool) -> Result:
    """Search once and read off the events who won, and what was told."""
    with tempfile.TemporaryDirectory(prefix="certo-groups-") as folder:
        write(case, bodies, Path(folder))
        events = search(case, Path(folder), one_lane=one_lane)
    wrong = {each["candidateId"] for each in events
             if each["type"] == "candidate.proposed" and case.wrong.splitlines()[-1] in each["diff"]}  # fmt: skip
    standings = {each["candidateId"]: each["standing"] for each in events if each["type"] == "candidate.compared"}
    winner = events[-1]["winner"]
    won = winner["candidateId"] if winner else ""
    apart = [
        difference
        for name, standing in standings.items()
        if (difference := standing["difference"]) is not None and wrong & {name, won}
    ]
    first = f"{apart[0]['call']}: {apart[0]['ours']}, {apart[0]['theirs']}" if apart else ""
    right = winner is not None and is_right(case, winner["source"])
    return Result(case.name, order, right, bool(apart), first, events[-1]["sentence"])


def main() -> None:
    """Measure, print a line for each search, and fail if the bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME")
    parser.add_argument("--every-order", action="store_true")
    parser.add_argument("--one-lane", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    results = []
    for case in CASES:
        if arguments.only in (None, case.name):
            for order, bodies in orders(case, every=arguments.every_order).items():
                results.append(measure(case, order, bodies, one_lane=arguments.one_lane))
                one = results[-1]
                said = "majority wins" if one.right else "minority wins"
                told = f"told by {one.difference}" if one.told else "nothing told"
                print(f"{one.name:<20} {one.order:<13} {said}, {told}", flush=True)
    print(f"right {sum(one.right for one in results)}, told {sum(one.told for one in results)} of {len(results)}")
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(one) for one in results], indent=1), encoding="utf-8")
    if not all(one.holds for one in results):
        raise SystemExit("the bar is missed: a minority won without a word")


if __name__ == "__main__":
    main()
