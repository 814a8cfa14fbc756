"""Judges one filled-in stub by tests that no search has seen: a case as JSON on stdin, exit code 0 when it is right.

HumanEval has its hidden tests as code. For MBPP+ the answer is compared with the canonical solution on the base and
the plus inputs, by the rules of EvalPlus: floats need only be near, some functions may give their elements in any
order, and where a match object is wanted anything true will do.
"""

from __future__ import annotations

import ast
import copy
import json
import math
import re
import sys
from typing import Any

IN_ANY_ORDER = {
    "similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly", "larg_nnum",
    "intersection_array", "find_dissimilar", "Diff",
}  # fmt: skip
"""The functions whose results EvalPlus compares as sets."""

NEAR = 1e-6


def same(value: Any, want: Any, atol: float) -> bool:
    """Whether a result is as good as the one wanted."""
    if isinstance(want, re.Match):
        return bool(value)
    if want is None and value is False:
        # A function that returns a match or nothing may answer with a truth value.
        return True
    if isinstance(value, (int, float)) and isinstance(want, (int, float)) and float in (type(value), type(want)):
        return value == want or math.isclose(value, want, rel_tol=NEAR, abs_tol=max(atol, 1e-7))
    if isinstance(value, (list, tuple)) and isinstance(want, (list, tuple)):
        return len(value) == len(want) and all(map(same, value, want, [atol] * len(want)))
    return bool(value == want)


def judge_mbpp(row: dict[str, Any], source: str) -> None:
    """Compare with the canonical solution on all inputs; AssertionError with the first that differs."""
    name = row["entry_point"]
    ours: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    exec(source, ours)
    exec(row["canonical_solution"], theirs)
    for inputs in (row["base_input"], row["plus_input"]):
        for given in ast.literal_eval(inputs) if isinstance(inputs, str) else inputs:
            want = theirs[name](*copy.deepcopy(given))
            value = ours[name](*copy.deepcopy(given))
            right = set(value) == set(want) if name in IN_ANY_ORDER else same(value, want, row["atol"] or 0.0)
            assert right, f"{name}{tuple(given)!r} gives {value!r}, not {want!r}"[:300]


def main() -> None:
    """Read a case and judge it."""
    case = json.load(sys.stdin)
    row = case["row"]
    if case["set"] == "mbpp":
        judge_mbpp(row, case["source"])
        return
    module: dict[str, Any] = {}
    exec(case["source"] + "\n" + row["test"], module)
    module["check"](module[row["entry_point"]])


if __name__ == "__main__":
    main()
