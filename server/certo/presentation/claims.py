"""Wording of a checked claim about a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certo.vocabulary.display import one_line
from certo.vocabulary.signed_verdict import CheckedClaim


def claim_in_words(checked: CheckedClaim) -> Iterator[str]:
    """Yield the answer to a digest in lines: if it holds, what it vouches for, and what has changed since."""
    record = checked.record
    if record is None:
        yield f"NOT OURS  {one_line(checked.digest)}"
        yield "your certo did not sign this, or has deleted its record; run certo verify to judge the function again"
        return
    head = "NOT VERIFIED" if not record.verified else "HOLDS" if checked.holds else "CHANGED SINCE"
    yield f"{head}  {record.qualname} in {record.path}"
    yield f"verdict    {one_line(record.outcome)}"
    yield f"reached    {record.at}, by certo {record.version}"
    yield f"in         {record.root}"
    yield f"checks     {', '.join(f'{name} {ruling}' for name, ruling in record.rulings.items())}"
    yield f"code       {_standing(tuple(record.texts), checked.changed_texts)}"
    yield f"tests      {_standing(tuple(record.tests), checked.changed_tests) if record.tests else 'in the same file'}"


def _standing(files: Sequence[str], changed: Sequence[str]) -> str:
    if changed:
        return f"changed since: {', '.join(map(one_line, changed))}"
    return f"unchanged: {', '.join(map(one_line, files))}"
