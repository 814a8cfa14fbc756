"""Ideas of language models, and their choices among ideas: requested as JSON and never trusted."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from certo.concurrency import side_by_side
from certo.generation.adviser import IdeaRequest, IdeaSummary, SelectionRequest
from certo.generation.generator import Attempt, GeneratorContext
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import shortened
from certo.generation.model.prompts import PromptBuilder, as_text, written
from certo.llm.model import ChatModel
from certo.llm.options import ModelOptions
from certo.llm.prompt import Message, Sampling
from certo.llm.typed.answer_type import AnswerType
from certo.llm.typed.typed_answer import AnswerAttempts, Answered, ask_for
from certo.llm.wrappers.defaults import DefaultedModel
from certo.vocabulary.errors import BadSetting, BrokenWorld, BudgetExhausted, ModelFailed

IDEA_CHARACTERS = 1500
"""Maximum length of an idea in characters."""

OUTCOME_CHARACTERS = 400
"""Maximum length of an idea's outcome in a prompt."""

MAX_TRIED = 5
"""Number of recent attempts that are shown with their code."""

_IDEAS = AnswerType(list[str])
_NUMBERS = AnswerType(list[int])

_TRIES = AnswerAttempts(max_iterations=2, num_candidates=1)
"""Number of tries: a question, and one more for an unreadable answer."""

_WORD = re.compile(r"\w+")


class ModelAdviser:
    """Adviser that asks the models named in a request, or the default one, about one problem."""

    def __init__(self, context: GeneratorContext, own: ChatModel, prompting: PromptBuilder) -> None:
        """Ask `own` if no model is named."""
        self._context = context
        self._own = own
        self._prompting = prompting
        self._asked: Counter[int] = Counter()

    async def ideas(self, wanted: IdeaRequest, problem: str) -> tuple[str, ...]:
        """Return at most `count` different ideas, those of each model in turn.

        All models are asked concurrently, and one that fails does not matter as long as another answers.

        Raises:
            BadSetting: A model is named that there is not.
            ModelFailed, BudgetExhausted: None of the models answered.
        """
        models = [self._named(name) for name in wanted.models or ("",)]
        had: dict[int, tuple[str, ...]] = {}
        failed: list[BrokenWorld | BadSetting] = []

        async def ask(place: int, model: ChatModel) -> None:
            try:
                had[place] = await self._refined(model, wanted, problem)
            except (ModelFailed, BudgetExhausted, BadSetting) as failure:
                failed.append(failure)

        async with side_by_side() as group:
            for place, model in enumerate(models):
                group.start_soon(ask, place, model)
        if not had:
            raise failed[0]
        taken_in_turn = filter(None, chain.from_iterable(zip_longest(*(had[place] for place in sorted(had)))))
        return different(taken_in_turn, (sketch.idea for sketch in wanted.known))[: wanted.count]

    async def choose(self, among: Sequence[IdeaSummary], choice: SelectionRequest, problem: str) -> tuple[int, ...]:
        """Return the numbers that a model names, whatever they are.

        Raises:
            BadSetting: It is named and there is none of that name.
            ModelFailed, BudgetExhausted: It did not answer, or answered no numbers twice.
        """
        asked = self._prompting.templates.fill(
            "choose",
            problem=problem,
            ideas=_listed(among, numbered=True),
            least=str(choice.least),
            most=str(choice.most),
            criteria=choice.criteria,
            progress=f"{choice.progress:.0f}",
        )
        answered = await self._ask(self._named(choice.model), (self._system(), _user(asked)), _NUMBERS, choice.effort)
        return tuple(answered.value)

    async def _refined(self, model: ChatModel, wanted: IdeaRequest, problem: str) -> tuple[str, ...]:
        """Return the ideas of one model; a round that fails leaves those of the round before."""
        fill = self._prompting.templates.fill
        asked = fill(
            "ideas",
            problem=problem,
            count=str(wanted.count),
            tried="\n\n".join(map(self._tried, wanted.past[-MAX_TRIED:])),
            idea=as_text(wanted.idea),
            known=_listed(wanted.known, numbered=False),
            errors=as_text("\n".join(wanted.errors)),
            progress=f"{wanted.progress:.0f}",
        )
        turns: tuple[Message, ...] = (self._system(), _user(asked))
        answered = await self._ask(model, turns, _IDEAS, wanted.effort)
        ideas = answered.value
        for _ in range(wanted.steps - 1):
            refining = _user(fill("refine", count=str(wanted.count)))
            turns = (*turns, Message(role="assistant", text=answered.text), refining)
            try:
                answered = await self._ask(model, turns, _IDEAS, wanted.effort)
            except (ModelFailed, BudgetExhausted):
                break
            ideas = answered.value or ideas
        return tuple(shortened(idea.strip(), IDEA_CHARACTERS) for idea in ideas if idea.strip())

    async def _ask(self, model: ChatModel, messages: Sequence[Message], shape: AnswerType, effort: str) -> Answered:
        """Ask for a list; repeated questions get different seeds, so that answers may differ.

        Raises:
            ModelFailed: The model did not answer, or gave no such list twice.
        """
        fitting = self._prompting.fit(messages)
        question = hash((model.name, fitting))
        times, self._asked[question] = self._asked[question], self._asked[question] + 1
        seed = (self._context.seed * 1000 + times) * _TRIES.max_iterations
        sampling = Sampling(seed=seed, effort=effort)
        answered = await ask_for(model, fitting, shape, tries=_TRIES, sampling=sampling)
        if not answered.is_valid:
            raise ModelFailed(f"{model.name} was asked twice for advice, and its answer is of no use: {answered.error}")
        return answered

    def _named(self, name: str) -> ChatModel:
        model = self._context.models.named(name) if name else self._own
        return DefaultedModel(model, ModelOptions(), background=self._context.background)

    def _system(self) -> Message:
        problem = self._prompting.problem
        said = self._prompting.templates.fill(
            "advise", python=self._prompting.python, name=problem.target.name, path=problem.path
        )
        return Message(role="system", text=said)

    def _tried(self, attempt: Attempt) -> str:
        code = fenced(written(attempt.candidate, self._prompting.problem))
        return f"{code}\n\n{as_text(self._prompting.objections(attempt)) or 'It passed.'}"


def different(ideas: Iterable[str], known: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the ideas that differ from all before them and from all that are known.

    Ideas with the same words are equal, regardless of order, case and punctuation.
    """
    seen = {_words(idea) for idea in known}
    return tuple(_unseen(ideas, seen))


def _unseen(ideas: Iterable[str], seen: set[frozenset[str]]) -> Iterator[str]:
    for idea in ideas:
        if (words := _words(idea)) not in seen:
            seen.add(words)
            yield idea


def _words(idea: str) -> frozenset[str]:
    return frozenset(_WORD.findall(idea.casefold())) or frozenset([idea])


def _listed(sketches: Sequence[IdeaSummary], *, numbered: bool) -> str:
    """Return ideas with their outcomes, a line of JSON each, in a block; empty if there are none."""
    lines = (
        {
            **({"number": each.number} if numbered else {}),
            "idea": each.idea,
            "tried": each.tried,
            **({"merit": round(each.merit, 3)} if each.merit is not None else {}),
            **({"outcome": shortened(each.outcome, OUTCOME_CHARACTERS)} if each.outcome else {}),
        }
        for each in sketches
    )
    return fenced("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "json") if sketches else ""


def _user(text: str) -> Message:
    return Message(role="user", text=text)
