"""Guest program that compares versions of a function, and says how many small changes of it its own calls would notice.

Calls that miss half of all small changes are weak evidence, however many they are. Some changes make no difference at
all, so the share that is noticed is a lower bound.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from certo_builtin.differential import version_comparison
from certo_builtin.differential.version_comparison import Compared
from certo_builtin.differential.versions import Loaded, LocalVersion
from certo_builtin.execution.allowance import Spent
from certo_builtin.execution.fork_pool import each
from certo_builtin.regression.kill_matrix import STALL_SECONDS, Candidate, noticed
from certo_builtin.regression.small_changes import small_changes

MAX_CALLS = 500
"""Maximum number of calls that each change is held against; those with different outcomes and branches come first."""

CHUNK = 8
"""Number of calls after which it is looked at if one has noticed the change."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Compare, and report differences and the summary."""
    version_comparison.main(request, tell, sensitivity)


def sensitivity(loaded: Loaded, request: Dict[str, Any], compared: Sequence[Compared]) -> Tuple[int, int]:
    """Return how many small changes of the function the calls notice, and how many there was time for."""
    if not loaded.hot_swap.live or not compared:
        return 0, 0
    calls = list(_diverse([Candidate(*one, is_usual=True, source="") for one in compared]))[:MAX_CALLS]
    found: List[bool] = []
    try:
        changes = small_changes(loaded, request, [one.call for one in calls])
        versions = [LocalVersion(loaded, change.edits) for change in changes]

        def work(place: int) -> bool:
            versions[place].put_in_place()
            chunks = (calls[start : start + CHUNK] for start in range(0, len(calls), CHUNK))
            return any(noticed(versions[place], chunk) for chunk in chunks)

        for _, came in each(work, range(len(versions)), STALL_SECONDS, loaded.allowance):
            # A change that ends its process or never comes back is another behaviour too, for these calls did end.
            found.append(came is None or bool(came))
    except Spent:
        pass
    return sum(found), len(found)


def _diverse(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield calls in rounds, in each the plainest of every outcome that was not told yet."""
    groups: Dict[Any, List[Candidate]] = {}
    for one in sorted(candidates, key=lambda one: one.weight):
        groups.setdefault((one.branches, one.outcome["kind"], one.outcome["value"]), []).append(one)
    for turn in range(max(map(len, groups.values()))):
        yield from (group[turn] for group in groups.values() if turn < len(group))
