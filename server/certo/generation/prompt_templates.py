"""Prompts that have a name: those that have code repaired, and the one that hands on what an evaluator said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from certo.vocabulary.errors import BadSetting

_FOLDER = Path(__file__).with_name("prompts")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """Turns of a conversation with placeholders such as `$feedback`.

    `system` is what the system says, if anything, and `texts` what the user says: one turn, or several of which the
    first opens a row of rounds and the last is said in each round after it.

    Raises:
        BadSetting: there is no text, or a dollar sign in it begins no placeholder.
    """

    name: str
    texts: tuple[str, ...]
    system: str = ""

    def __post_init__(self) -> None:
        if not self.texts or not all(text.strip() for text in self.texts):
            raise BadSetting(f"the template {self.name!r} has no text")
        for text in (self.system, *self.texts):
            if not Template(text).is_valid():
                raise BadSetting(
                    f"the template {self.name!r} has a $ that begins no placeholder; write $$ for a dollar"
                )

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the placeholders that have to be filled."""
        return frozenset(name for text in (self.system, *self.texts) for name in Template(text).get_identifiers())

    def text(self, number: int, /, **values: str) -> str:
        """Return the message of a round, counted from 0, with its placeholders filled.

        Raises:
            BadSetting: nothing is given for one of them.
        """
        try:
            return Template(self.texts[0 if number == 0 else -1]).substitute(values)
        except KeyError as missing:
            raise BadSetting(f"the template {self.name!r} needs a value for ${missing.args[0]}") from None


def feedback_template(given: str | PromptTemplate) -> PromptTemplate:
    """Return a template, or the one of a name, that has a place for `$feedback` and for nothing else.

    Raises:
        BadSetting: there is none of that name, or it has not just that.
    """
    template = named_template(given) if isinstance(given, str) else given
    if template.placeholders != {"feedback"}:
        raise BadSetting(f"the template {template.name!r} has to have a place for $feedback, and for nothing else")
    return template


_FILES: Mapping[str, tuple[str, ...]] = {
    "CodeFixerRCI": ("code-fixer-rci-first", "code-fixer-rci-last"),
    "CodeFixerShort": ("code-fixer-short",),
    "CodeFixerTiny": ("code-fixer-tiny",),
    "FeedbackFromEvaluator": ("feedback-from-evaluator",),
}
"""The files of each template. RCI is recursive criticism and improvement (Kim, Baldi and McAleer 2023)."""


@cache
def named_template(name: str) -> PromptTemplate:
    """Return the template of a name; the names are those of AgentTools.

    Raises:
        BadSetting: there is none of that name.
    """
    if name not in _FILES:
        raise BadSetting(f"there is no template {name!r}; known: {', '.join(_FILES)}")
    texts = tuple((_FOLDER / f"{file}.md").read_text(encoding="utf-8") for file in _FILES[name])
    return PromptTemplate(name=name, texts=texts)
