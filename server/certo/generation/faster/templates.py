"""All templates, applied to a function: each candidate is a change by one of them, or by several in turn."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from certo.generation.faster import containers, lookups, loops, orders, separators
from certo.generation.faster.changed_text import Rendering
from certo.generation.faster.draft import Function, FunctionDraft
from certo.vocabulary.records import dataclass

Template = Callable[[Function], Iterator[tuple[str, FunctionDraft]]]

TEMPLATES: tuple[Template, ...] = (
    lookups.nested_search,
    lookups.membership,
    lookups.seen_list,
    lookups.any_equal,
    lookups.counts,
    orders.remembered,
    orders.up_to_the_root,
    orders.running_sums,
    orders.running_extremes,
    orders.counted_in_order,
    orders.inserted_in_order,
    orders.extreme,
    containers.priority_queue,
    containers.queue,
    containers.at_front,
    containers.in_place,
    containers.flattened,
    separators.separated,
    separators.enumerated,
    containers.joined,
    loops.invariant,
    loops.compiled,
    loops.early_exit,
    loops.copies,
    loops.direct,
    loops.comprehensions,
)
"""The templates, those that save most first."""

MAX_CANDIDATES = 60
"""Maximum number of candidates of one function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FasterText:
    """A changed function: the whole text, its syntax tree, and the changes in words."""

    text: str
    function: Function
    notes: tuple[str, ...]


def changed(text: str, function: Function, base: FasterText | None = None) -> Iterator[FasterText]:
    """Yield each change that a template makes of a function in a text, or of what was made of it already."""
    rendering = Rendering(text, function)
    known = {ast.dump(function)}
    start = function if base is None else base.function
    notes = () if base is None else base.notes
    for template in TEMPLATES:
        for note, draft in template(start):
            tree = ast.dump(draft.function)
            if tree in known:
                continue
            known.add(tree)
            written = rendering.written(ast.fix_missing_locations(draft.function))
            if written is not None:
                yield FasterText(text=written, function=draft.function, notes=(*notes, note))
            if len(known) > MAX_CANDIDATES:
                return
