"""What an edit answers to: the words of the docstring, of the instruction and of the function's name.

A repair mostly calls what the bug is spoken of with, so that an edit is likelier whose names stand in the words that
there are (Saha et al., "ELIXIR: effective object oriented program repair", 2017). Its rarer relatives, `swapcase` for
`upper`, answer to nothing and gain nothing by it.
"""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, Pattern, Sequence, Set, Tuple

from certo_builtin.question import Question
from certo_builtin.scene import Scene
from certo_builtin.source import Edit, applied
from certo_builtin.synthesis import space
from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.unsaid import EVERYDAY, Unsaid
from certo_builtin.synthesis.words import stem, words_of

ANSWERING = 2.5
"""How much likelier an edit is that answers to a word which nothing in the function answered to."""

MUTE = 0.4
"""How much less likely one is that leaves a word unanswered which something answered to."""

USUAL = (0, 1, 2)
"""Numbers that stand in code whatever the prose says."""

BOUND = re.compile(r"(?<![-=<>])(<=|>=|<|>|!=) ?(-?\d+)(?![\w.])")
CALLED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?=\()|(?<=\.)[A-Za-z_]\w*")
OPTION = re.compile(r"\b([a-z]+)=(?!=)")


class Wording:
    """The words to be answered, which of them the function answers to as it is, and how an edit changes that."""

    def __init__(self, scene: Scene, question: Question) -> None:
        self._text = scene.source.text
        self._name = question.name
        self._stems = frozenset(map(stem, space.words(question))) - EVERYDAY
        self._patterns = {
            **Unsaid(frozenset(), self._stems, list(map(_without_options, COMPONENTS))).answers,
            **dict(_written_out(question)),
        }
        code = [one for one in scene.target.body if not _is_text(one)] or scene.target.body
        self._start, self._end = scene.source.start(code[0]), scene.source.end(code[-1])
        self._said = self._in(self._text[self._start : self._end])

    def answer(self, edits: Sequence[Edit]) -> float:
        """How much likelier or less likely an edit is for the words it answers to, and those it leaves unanswered."""
        start = self._text.rfind("\n", 0, edits[0][0]) + 1
        end = self._text.find("\n", edits[-1][1])
        before = self._text[start : end if end >= 0 else len(self._text)]
        said = self._in(applied(before, edits, start))
        factor = ANSWERING if said - self._said else 1.0
        lost = self._in(before) - said
        if lost and lost - self._in(self._after(edits)):
            factor *= MUTE
        return factor

    def _after(self, edits: Sequence[Edit]) -> str:
        """The whole body with these edits."""
        start, end = min(self._start, edits[0][0]), max(self._end, edits[-1][1])
        return applied(self._text[start:end], edits, start)

    def _in(self, code: str) -> Set[str]:
        """The words, as stems, that some code answers to by what it calls, or by what one would write for them."""
        called = [name for name in CALLED.findall(code) if name != self._name]
        found = {stem(word) for name in called for word in words_of("", name)} & self._stems
        found.update(word for word, patterns in self._patterns.items() if any(one.search(code) for one in patterns))
        return found


def _written_out(question: Question) -> Iterator[Tuple[str, List[Pattern[str]]]]:
    """The constants and bounds that the prose writes as code does."""
    for literal in space.literals(question):
        if literal not in USUAL:
            shape = "(['\"]){}\\1" if isinstance(literal, str) else r"(?<![\w.]){}(?![\w.])"
            yield repr(literal), [re.compile(shape.format(re.escape(str(literal))))]
    for operator, number in BOUND.findall(question.docstring.split(">>>")[0]):
        yield operator + number, [re.compile(r"(?<![-=<>]){} ?{}(?![\w.])".format(operator, number))]


def _without_options(component: Component) -> Component:
    """A component that does not go by the names of its options: what is sorted with `reverse=True` is not reversed."""
    return component._replace(words=component.words - frozenset(map(stem, OPTION.findall(component.text))))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
