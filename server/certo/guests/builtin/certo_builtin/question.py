"""Request to this program: one target in one text, its tests, and the limits of the search."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from certo_builtin.source import Edit, applied


class Example(NamedTuple):
    """One example of the target: source to run, and its expected output, or its expected value if `equals` is set.

    `id` is that of its test.
    """

    id: str
    source: str
    expected: str
    equals: bool


class Second(NamedTuple):
    """A second function that may be edited together with the target, in the document at `path` with this `text`."""

    path: str
    text: str
    qualname: str
    start: int
    end: int
    line: int
    docstring: str


class Question(NamedTuple):
    """One search to make, in the project at `root`, in the document at `path` below it.

    `start` and `end` bound the target in code points of `text`; no edit may leave them. `line` is the 1-based line of
    its `def`. `failing` and `passing` are test ids before any edit. `candidates`, `steps` and `plausible` are the
    normal limits of a search; `seconds` is the backstop. `seed` breaks ties between equally likely edits. `selected`
    are the first and last line of the user's selection, if any. `unwanted` are texts of the document that must not be
    made, nor any that differ from them only in layout. With a `second` function, both are edited together.
    """

    root: str
    path: str
    text: str
    qualname: str
    start: int
    end: int
    line: int
    is_hole: bool
    docstring: str
    instruction: str
    selected: Optional[Tuple[int, int]]
    failing: List[str]
    passing: List[str]
    examples: List[Example]
    seconds: float
    steps: int
    candidates: int
    seed: int
    plausible: int
    unwanted: List[str]
    second: Optional[Second] = None

    @property
    def name(self) -> str:
        """The last part of the target's qualified name."""
        return self.qualname.rpartition(".")[2]


def read(request: Dict[str, Any]) -> Question:
    """Return the question of a request; a missing field is a KeyError, because both sides are ours."""
    fields = {name: request[name] for name in Question._fields if name not in ("examples", "second")}
    examples = [Example(**one) for one in request["examples"]]
    second = Second(**request["second"]) if request.get("second") else None
    return Question(examples=examples, second=second, **fields)


class Unwanted:
    """Texts that must not be made again, compared by meaning and not by layout."""

    def __init__(self, question: Question) -> None:
        self._text = question.text
        self._meanings: Set[str] = {meaning for text in question.unwanted for meaning in _meaning(text)}

    def made_by(self, edits: Iterable[Edit]) -> bool:
        """True if these edits of the question's text make one of them."""
        return bool(self._meanings) and not self._meanings.isdisjoint(_meaning(applied(self._text, edits)))


def _meaning(text: str) -> Set[str]:
    """Return the syntax tree of a text as a set of one; the empty set if it does not parse."""
    try:
        return {ast.dump(ast.parse(text.lstrip("\ufeff")))}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
