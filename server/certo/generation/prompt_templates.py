"""Named prompt templates: for repairing code, and for passing on an evaluator's feedback."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

_FOLDER = Path(__file__).with_name("prompts")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """Turns of a conversation with placeholders such as `$feedback`.

    `system` is the system message, if any, and `texts` are user messages: one, or several of which the first opens the
    conversation and the last is repeated in each later round.

    Raises:
        BadSetting: There is no text, or a dollar sign in it begins no placeholder.
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
        """The names of the placeholders to fill."""
        return frozenset(name for text in (self.system, *self.texts) for name in Template(text).get_identifiers())

    def text(self, number: int, /, **values: str) -> str:
        """Return the message of a round, counted from 0, with its placeholders filled.

        Raises:
            BadSetting: A placeholder has no value.
        """
        try:
            return Template(self.texts[0 if number == 0 else -1]).substitute(values)
        except KeyError as missing:
            raise BadSetting(f"the template {self.name!r} needs a value for ${missing.args[0]}") from None


def feedback_template(given: str | PromptTemplate) -> PromptTemplate:
    """Return a template, given itself or by name, whose only placeholder is `$feedback`.

    Raises:
        BadSetting: There is none of that name, or its placeholders differ.
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
"""Files of each template. RCI is recursive criticism and improvement (Kim, Baldi and McAleer 2023)."""


@cache
def named_template(name: str) -> PromptTemplate:
    """Return the template of a name; the names are those of AgentTools.

    Raises:
        BadSetting: There is none of that name.
    """
    if name not in _FILES:
        raise BadSetting(f"there is no template {name!r}; known: {', '.join(_FILES)}")
    texts = tuple((_FOLDER / f"{file}.md").read_text(encoding="utf-8") for file in _FILES[name])
    return PromptTemplate(name=name, texts=texts)
