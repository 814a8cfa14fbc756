"""One watched run of every check on the original code: which lines, which values, how it ended, how many steps.

Lines feed fault localisation; the kinds of values the variables held tell the templates what fits where.
"""

from __future__ import annotations

from typing import Any, Dict, List, Set

from certo_builtin.allowance import Stopwatch
from certo_builtin.forks import each
from certo_builtin.trial import LOST, PASSED, Bench
from certo_builtin.watching import Watch
from certo_worker import characters

FUEL = 60000
SECONDS = 8.0


class Trace:
    """What was seen: per check its ending, steps, seconds, lines; per function and variable the kinds of its values.

    Seconds are without those in which the process waited for a processor: what takes its time on a busy machine alone
    is not sluggish.
    `literals` are the numbers and short texts that the code of the failing checks holds; `characters` says that
    Hypothesis had to make its tables of them.
    """

    def __init__(self) -> None:
        self.endings: List[str] = []
        self.used: List[int] = []
        self.seconds: List[float] = []
        self.lines: List[Set[int]] = []
        self.kinds: Dict[str, Dict[str, Set[str]]] = {}
        self.attributes: Dict[str, Set[str]] = {}
        self.literals: List[Any] = []
        self.characters = False

    def add(self, seen: Dict[str, Any]) -> None:
        """Take in what a child saw while it ran one check."""
        self.endings.append(seen["ending"])
        self.used.append(seen["used"])
        self.seconds.append(seen["seconds"])
        self.lines.append(set(seen["lines"]))
        self.characters = self.characters or seen["characters"]
        for function, variable, kind in seen["kinds"]:
            self.kinds.setdefault(function, {}).setdefault(variable, set()).add(kind)
        for kind, name in seen["attributes"]:
            self.attributes.setdefault(kind, set()).add(name)
        if seen["ending"] != PASSED:
            self.literals += [one for one in seen["literals"] if one not in self.literals]


def traced(bench: Bench) -> Trace:
    """Run each check once under a trace function; a check that hangs or dies counts as failed on every line."""
    trace = _traced(bench)
    if trace.characters and not characters.were_made():
        # From now on no child has to, and no check is sluggish for that.
        characters.make()
        trace = _traced(bench)
    return trace


def _traced(bench: Bench) -> Trace:

    def work(index: int) -> Dict[str, Any]:
        bench.graft.try_on(())
        watch = Watch(bench.graft.codes, bench.graft.first)
        stopwatch = Stopwatch()
        ending = watch.run(lambda: bench.run_check(index, FUEL, SECONDS))
        seconds = stopwatch.seconds
        stopwatch.close()
        return {
            "ending": ending,
            "used": bench.meter.used,
            "seconds": seconds,
            "lines": sorted(watch.lines),
            "kinds": sorted(watch.kinds),
            "attributes": sorted(watch.attributes),
            "literals": watch.literals,
            "characters": characters.were_made(),
        }

    trace = Trace()
    lost = {"ending": LOST, "used": FUEL, "seconds": SECONDS, "lines": [], "kinds": []}
    lost.update({"attributes": [], "literals": [], "characters": False})
    for _, seen in each(work, range(len(bench.checks)), SECONDS + 2.0, bench.allowance):
        trace.add(seen or lost)
    return trace
