"""Lessons of a search as claims of a language model, with quotations that are checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal

from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import characters_for, shortened
from certo.generation.model.options import GenerationOptions
from certo.generation.model.project_excerpts import sources_of
from certo.generation.model.templates import Templates
from certo.llm.model import ChatModel
from certo.llm.prompt import Message
from certo.llm.typed.answer_type import AnswerType
from certo.llm.typed.typed_answer import AnswerAttempts, ask_for
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.knowledge import MAX_CHARACTERS, MAX_QUOTES, SECTIONS, Claim, PastAttempt, Quote
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

MAX_CLAIMS = 10
"""Maximum number of claims taken from one answer, the first ones."""

MIN_QUOTED = 8
"""Minimum length of a quotation in characters; a bracket occurs in every file and proves nothing."""

_MAX_TRIES = 20
"""Maximum number of tries that are described, the last ones."""


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A quotation as a model writes it."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class _Said:
    """A claim as a model writes it."""

    section: Literal["architecture", "entrypoints", "where_to_edit", "invariants", "testing", "gotchas", "dependencies"]
    claim: str
    quotes: list[_Quoted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """Request for the lessons of a search about a problem; its prompt depends only on these fields."""

    problem: Problem
    templates: Templates
    options: GenerationOptions

    async def claims(
        self, model: ChatModel, tries: Sequence[PastAttempt], search: str, *, retries: int
    ) -> tuple[Claim, ...]:
        """Return a model's claims about the tries of a search; an unusable answer is requested `retries` times more.

        Every claim has a quotation of at least MIN_QUOTED characters; the caller checks quotations against the files.

        Raises:
            ModelFailed: No answer was usable, or none came.
            BudgetExhausted: The budget allows no more calls.
        """
        answered = await ask_for(
            model,
            (Message(role="user", text=self.question(tries)),),
            AnswerType(list[_Said]),
            tries=AnswerAttempts(max_iterations=1 + retries, num_candidates=1),
        )
        if not answered.is_valid:
            raise ModelFailed(f"{model.name} did not say what was learned in a form that can be used: {answered.error}")
        return tuple(_claims(answered.value[:MAX_CLAIMS], search))

    def question(self, tries: Sequence[PastAttempt]) -> str:
        """Return the prompt for the model."""
        problem, tokens = self.problem, self.options.context_tokens
        tests = sources_of(problem, [test.id for test in problem.baseline.tests], tokens)
        file = shortened(problem.text.replace("\r\n", "\n"), characters_for(tokens))
        return self.templates.fill(
            "reflect",
            sections="\n".join(f"- {name}: {what}" for name, what in SECTIONS.items()),
            path=problem.path,
            file=fenced(file),
            tests="\n\n".join(tests),
            tried="\n\n".join(map(_told, tries[-_MAX_TRIES:])) or "Nothing.",
        )


def _told(past_try: PastAttempt) -> str:
    came_of_it = "It passed." if past_try.passed else f"It did not pass: {past_try.failure or 'nobody said why'}"
    return f"{fenced(past_try.diff, 'diff')}\n\n{came_of_it}"


def _claims(said: Iterable[_Said], search: str) -> Iterable[Claim]:
    for each in said:
        text = " ".join(each.claim.split())[:MAX_CHARACTERS]
        quotes = tuple(Quote(path=quoted.path, text=quoted.text) for quoted in each.quotes[:MAX_QUOTES])
        if text and quotes and all(MIN_QUOTED <= len(quote.text.strip()) <= MAX_CHARACTERS for quote in quotes):
            digest = hashlib.sha256(f"{each.section} {text.lower()}".encode("utf-8", "surrogatepass")).hexdigest()
            yield Claim(key=f"said {digest[:16]}", section=each.section, text=text, search=search, quotes=quotes)
