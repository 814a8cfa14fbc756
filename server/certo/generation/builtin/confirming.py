"""Which of the calls by which candidates differ are to be gone by: those that are answered so by themselves as well.

All calls of a candidate are made in one process, one after the other. Where the code keeps something from one call to
the next, what is answered there may come of the calls before, and not of what was asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from certo.generation.builtin.clusters import Outcomes, separating
from certo.generation.builtin.distinguishing.acting import acted
from certo.generation.builtin.distinguishing.call import Call
from certo.generation.builtin.distinguishing.outcome import differ
from certo.generation.builtin.distinguishing.side import Side
from certo.vocabulary.text import TextEdit


def deciding(versions: Sequence[Outcomes], numbers: Sequence[int], calls: Sequence[Call], most: int) -> tuple[int, ...]:
    """The numbers of the calls by which versions are told from each other: all, the first `most`, and the first two."""
    found = {
        number
        for several in (versions, versions[:most], versions[:2])
        for number in separating(several, numbers, calls)
    }
    return tuple(sorted(found, key=lambda number: calls[number].weight))


async def confirmed(
    side: Side,
    versions: Sequence[tuple[Sequence[TextEdit], Outcomes]],
    numbers: Sequence[int],
    calls: Sequence[Call],
) -> tuple[int, ...]:
    """The numbers of those calls that every version answers as before where nothing else was called.

    Raises:
        BrokenWorld: nothing can be run here.
    """
    if not numbers:
        return ()
    alone = await acted(side, [edits for edits, _ in versions], [calls[number] for number in numbers], alone=True)
    if len(alone.versions) < len(versions):
        return ()

    def is_same(place: int, number: int) -> bool:
        for (_, outcomes), again in zip(versions, alone.versions, strict=True):
            first, second = outcomes[number], again[place]
            # What was not made at first has told nothing.
            if first is not None and (second is None or differ(first, second)):
                return False
        return True

    return tuple(number for place, number in enumerate(numbers) if is_same(place, number))
