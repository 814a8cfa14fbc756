"""Which lines to blame: the Ochiai coefficient over the lines that failing and passing checks ran.

Ochiai (Abreu, Zoeteweij, van Gemund, "On the accuracy of spectrum-based fault localization", 2007): a line that f of
the F failing and p passing checks ran is suspected by f / sqrt(F * (f + p)).
"""

from __future__ import annotations

import math
from typing import Dict, Sequence, Set

from certo_builtin.trial import PASSED

FLOOR = 0.02
"""The suspicion, relative to the highest, of a line no failing check ran: code may be missing on the way to it."""


class Suspicion:
    """Suspicion from 0 to 1 by line of the document."""

    def __init__(self, lines: Sequence[Set[int]], endings: Sequence[str]) -> None:
        failures = sum(ending != PASSED for ending in endings)
        self.by_line: Dict[int, float] = {}
        for line in sorted(set().union(*lines)):
            failed = sum(line in ran and ending != PASSED for ran, ending in zip(lines, endings))
            passed = sum(line in ran and ending == PASSED for ran, ending in zip(lines, endings))
            self.by_line[line] = failed / math.sqrt(failures * (failed + passed)) if failed else 0.0
        self.highest = max(self.by_line.values(), default=0.0) or 1.0

    def of(self, first: int, last: int) -> float:
        """The suspicion of the most suspected of these lines."""
        seen = [self.by_line.get(line, 0.0) for line in range(first, last + 1)]
        return max([FLOOR * self.highest, *seen])
