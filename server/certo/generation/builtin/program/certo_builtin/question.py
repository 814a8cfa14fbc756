"""What the daemon asks of this program: one target in one text, its tests, and how much may be tried."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple


class Example(NamedTuple):
    """One example of the target: source to run, and what it must print, or what its value `equals` where that is set.

    `id` is that of its test.
    """

    id: str
    source: str
    expected: str
    equals: bool


class Question(NamedTuple):
    """One search to make, in the project at `root`, in the document at `path` below it.

    `start` and `end` bound the target in code points of `text`; no edit may leave them. `line` is the 1-based line of
    its `def`. `failing` and `passing` are test ids as they stood before any edit. `candidates`, `steps` and
    `plausible` are what normally ends a search; `seconds` is the backstop. `seed` breaks ties between equally likely
    edits. `selected` are the first and the last line of what the user means above all, if anything.
    `unwanted` are texts of the document that are not to be made, nor any that differ from them in layout alone.
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

    @property
    def name(self) -> str:
        """The last part of the target's qualified name."""
        return self.qualname.rpartition(".")[2]


def read(request: Dict[str, Any]) -> Question:
    """Read a question off the wire; a missing field is a KeyError, for both sides are ours."""
    fields = {name: request[name] for name in Question._fields if name != "examples"}
    examples = [Example(**one) for one in request["examples"]]
    return Question(examples=examples, **fields)
