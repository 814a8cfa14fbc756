"""One search of the built-in generator without the sandbox around it, for `screening.py`.

    python tests/benchmarks/screened.py HOME... < request > measured

It runs in the interpreter of the project that is searched, so it needs nothing but the standard library and the guest
programs in each HOME. Printed as JSON: the seconds that trials took and those of candidates with
a process each, their results, the most memory, and what was told.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Iterator
from typing import Any

sys.path[:0] = sys.argv[1:]

from certo_builtin import search
from certo_builtin.execution import runner


def main() -> None:
    """Make the search that is asked for on stdin, and print what was measured of it."""
    request = json.load(sys.stdin)
    sys.path.insert(0, request["root"])
    endings: dict[str, int] = {}
    told: list[dict[str, Any]] = []
    seconds = 0.0
    judge = runner.CandidateRunner.judge

    def timed(self: runner.CandidateRunner, *asked: Any, **named: Any) -> Iterator[Any]:
        nonlocal seconds
        left = self.allowance.left
        for piece, judged in judge(self, *asked, **named):
            endings[judged.ending] = endings.get(judged.ending, 0) + 1
            seconds += left - self.allowance.left
            yield piece, judged
            left = self.allowance.left
        seconds += left - self.allowance.left

    alone = 0.0
    apart = runner.CandidateRunner._apart

    def timed_apart(self: runner.CandidateRunner, *asked: Any) -> Iterator[Any]:
        nonlocal alone
        left = self.allowance.left
        for judged in apart(self, *asked):
            alone += left - self.allowance.left
            yield judged
            left = self.allowance.left

    runner.CandidateRunner._apart = timed_apart  # type: ignore[method-assign]  # only to look at the clock
    runner.CandidateRunner.judge = timed  # type: ignore[method-assign]  # only to look at the clock
    said = os.dup(1)
    # What the tests print must not be taken for the answer.
    os.dup2(2, 1)
    search.main(request, told.append)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    answers = [one for one in told if one["kind"] != "progress"]
    measured = {"seconds": seconds, "alone": alone, "endings": endings, "mebibytes": peak / 1024, "told": answers}
    with os.fdopen(said, "w") as out:
        json.dump(measured, out)


if __name__ == "__main__":
    main()
