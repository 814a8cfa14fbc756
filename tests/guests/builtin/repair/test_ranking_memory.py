"""Memory of ranking: it does not grow with the file around the function."""

from __future__ import annotations

import tracemalloc

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.ranking import ranked
from certo_builtin.source import Source
from support.search.repair_context import asked

FUNCTION = "def target(a, b, c, d):\n" + "".join(f"    a += b * {number} - c // d\n" for number in range(20))
LONG_FILE = FUNCTION + "    return a\n\n\n" + "# what else is in the file\n" * 10_000


def test_edits_of_long_files_take_little_memory() -> None:
    """Each edit would be a copy of the file: 600 of them 160 MB."""
    source = Source(LONG_FILE)
    question = asked(LONG_FILE)._replace(candidates=600, end=LONG_FILE.index("\n\n\n"))
    target = source.function_at(question.line, "target")
    assert target is not None
    context = RepairContext(source, target, {}, {})
    tracemalloc.start()
    try:
        edits = ranked(context, Suspicion([{2}], ["failed"]), question).all()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(edits) == 600
    assert most < 40_000_000
