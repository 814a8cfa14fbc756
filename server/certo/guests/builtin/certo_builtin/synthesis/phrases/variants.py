"""Bodies that keep a docstring's word where the examples are too weak to ask for it.

If all texts in the examples are in lower case, a body that ignores case behaves like one that does not, so the search
has only the shorter one. Where the docstring wants it, the other is tried as well.
"""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence

from certo_builtin.synthesis.phrases.catalogue import IGNORING_CASE
from certo_builtin.synthesis.phrases.grammar import Reading


def ignoring_case(
    reading: Reading, lines: Sequence[str], columns: Mapping[str, Sequence[Any]], expected: Sequence[Any]
) -> Optional[List[str]]:
    """Return a body that ignores case, made of one that does not; None if the docstring does not ask for that.

    `columns` are the values of each parameter. None is made for results with texts in them, which may keep their case.
    """
    construct = reading.constructs.get(IGNORING_CASE)
    if construct is None or any(map(construct[0].search, lines)):
        return None
    if not all(isinstance(value, (bool, int, float, type(None))) for value in expected):
        return None
    lowered = {name: _lowered(name, values) for name, values in columns.items()}
    changed = {name: text for name, text in lowered.items() if text}
    if not changed:
        return None
    return ["{} = {}".format(", ".join(changed), ", ".join(changed.values())), *lines]


def _lowered(name: str, values: Sequence[Any]) -> str:
    """Return the expression for a parameter in lower case; empty if it is no text and no list of texts."""
    if values and all(isinstance(value, str) for value in values):
        return "{}.lower()".format(name)
    if values and all(isinstance(value, list) and all(isinstance(one, str) for one in value) for value in values):
        return "[x.lower() for x in {}]".format(name)
    return ""
