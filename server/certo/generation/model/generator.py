"""The generator `model`: candidates written by language models, with feedback on earlier ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from certo.generation.adviser import IdeaRequest, IdeaSummary, SelectionRequest
from certo.generation.generator import Ask, Declined, Generator, GeneratorContext, ProblemPreview, Proposal
from certo.generation.model.adviser import ModelAdviser
from certo.generation.model.code_extraction import extract
from certo.generation.model.code_placement import Placement, place_code
from certo.generation.model.conversation import characters_for
from certo.generation.model.file_answers import elsewhere_of, parted
from certo.generation.model.look_up_conversation import Conversation
from certo.generation.model.look_ups import LookUps
from certo.generation.model.options import GenerationOptions
from certo.generation.model.prompts import PromptBuilder
from certo.generation.model.related_code import RelatedCode
from certo.generation.model.templates import load
from certo.llm.model import ChatModel
from certo.llm.prompt import Finish, Message, Prompt, Reply, Sampling
from certo.vocabulary.errors import BadSetting, ModelFailed
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

_SHOWN = 80
"""Maximum length of an answer without code that is quoted."""

QUESTIONS = 3
"""Maximum number of questions for one candidate if answers contain no code."""


class ModelGenerator:
    """Generator that asks language models to write the target; branches take the models in turn."""

    name = "model"

    def __init__(self, models: Sequence[ChatModel], context: GeneratorContext, options: GenerationOptions) -> None:
        self._models = models
        self._context = context
        self._options = options
        self._related: RelatedCode | None = None

    async def stand_by(self, preview: ProblemPreview, /) -> None:
        """Look for related code while the tests still run."""
        self._related = RelatedCode(preview, self._context.executor, self._options.related_tokens)
        await self._related.look()

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[ModelProposer]:
        """Read the prompts and prepare; no model is asked before the first candidate is requested.

        Raises:
            BadSetting: The project's own prompts are invalid.
        """
        version = self._context.interpreter.version
        looking = LookUps(problem, self._context, self._options.conversation_tokens)
        prompting = PromptBuilder(
            problem=problem,
            templates=load(problem.root, self._options.prompts),
            options=self._options,
            python=".".join(map(str, version[:2])),
        )
        say(f"asking {', '.join(dict.fromkeys(model.name for model in self._models))}")
        related, self._related = self._related, None
        if related is None:
            related = RelatedCode(ProblemPreview.of(problem), self._context.executor, self._options.related_tokens)
        yield ModelProposer(self._models, prompting, related, self._context, looking)


@dataclass(frozen=True, slots=True)
class _Unusable:
    """An answer without a candidate: the reason for the user, and the message to the model."""

    reason: str
    said: str


LASTING = frozenset({401, 402, 403, 404})
"""HTTP statuses of permanent failures: key rejected, no money, no such model."""


def _is_lasting(failure: ModelFailed | BadSetting) -> bool:
    """True if a model fails whatever it is asked, as far as known."""
    return isinstance(failure, BadSetting) or failure.status in LASTING


class ModelProposer:
    """Proposer that asks models for candidates, ideas and choices; it is an Adviser too.

    Branches share only the problem, and may ask concurrently. A model with a permanent failure, such as a rejected key,
    is not asked again: its branches go to another model.
    """

    def __init__(
        self,
        models: Sequence[ChatModel],
        prompting: PromptBuilder,
        related: RelatedCode,
        context: GeneratorContext,
        looking: LookUps,
    ) -> None:
        self._models = models
        self._lost: dict[int, ModelFailed | BadSetting] = {}
        self._prompting = prompting
        self._related = related
        self._looking = looking
        self._project_context = context.recollection
        self._openings: dict[str, tuple[Message, ...]] = {}
        self._seed = context.seed
        self._background = context.background
        self._adviser = ModelAdviser(context, models[0], prompting)

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Return one candidate; a model whose answer holds none is told so, and asked again.

        Raises:
            ModelFailed: The lane's model did not answer.
            BudgetExhausted: The budget allows no more calls.
        """
        left = [number for number in range(len(self._models)) if number not in self._lost]
        if not left:
            return Declined(reason="; ".join(dict.fromkeys(map(str, self._lost.values()))))
        chosen = left[ask.slot % len(left)]
        model = self._models[chosen]
        messages = [*self._prompting.conversation(await self._opening(self._hint(ask.slot)), ask)]
        conversation = Conversation(model, ask, self._looking, self._prompting, self._prompting.options.look_ups)
        reason = ""
        for question in range(QUESTIONS):
            prompt = Prompt(
                messages=self._prompting.fit(messages, () if ask.in_place else ask.past),
                sampling=self._sampling(ask, question),
                sample=ask.slot,
                background=self._background,
                repeats=True,
            )
            try:
                reply = await conversation.answer(prompt)
            except (ModelFailed, BadSetting) as failure:
                if _is_lasting(failure):
                    self._lost[chosen] = failure
                raise
            read = self._read(reply, model)
            if isinstance(read, Proposal):
                return read
            reason = read.reason
            said = (Message(role="assistant", text=reply.text), Message(role="user", text=read.said))
            if not conversation.go_on(said):
                messages += said
        reason = f"{model.name} was asked {QUESTIONS} times for one candidate: {reason}"
        return Declined(reason=reason, for_all=False)

    async def ideas(self, wanted: IdeaRequest, /) -> tuple[str, ...]:
        """Return new ideas of the requested models, all asked at once.

        Raises:
            ModelFailed: None of them gave a usable answer.
        """
        return await self._adviser.ideas(wanted, await self._problem())

    async def choose(self, among: Sequence[IdeaSummary], choice: SelectionRequest, /) -> tuple[int, ...]:
        """Return the numbers of the sketches that a model chooses.

        Raises:
            ModelFailed: It gave no usable answer.
        """
        return await self._adviser.choose(among, choice, await self._problem())

    async def _problem(self) -> str:
        """Return the statement of the problem for a model that writes a candidate."""
        return (await self._opening(""))[-1].text

    async def _opening(self, hint: str) -> tuple[Message, ...]:
        """Return the first messages of conversations with a hint; cached, because they take time in a long file."""
        if hint not in self._openings:
            problem, tokens = self._prompting.problem, self._prompting.options.memory_tokens
            memory = await self._project_context.text(problem, characters_for(tokens)) if tokens else ""
            related = await self._related.text(problem)
            self._openings[hint] = self._prompting.opening(related=related, memory=memory, hint=hint)
        return self._openings[hint]

    def _hint(self, slot: int) -> str:
        """Return the hint of one branch, so that branches differ."""
        hints = self._prompting.options.hints
        return hints[slot % len(hints)] if hints else ""

    def _sampling(self, ask: Ask, question: int) -> Sampling:
        """Return the sampling of one answer: different within a search, the same if the search is repeated."""
        temperatures = self._prompting.options.temperatures
        return Sampling(
            temperature=temperatures[ask.slot % len(temperatures)] if temperatures else None,
            seed=((self._seed * 1000 + ask.slot) * 100 + ask.attempt) * 10 + question,
        )

    def _read(self, reply: Reply, model: ChatModel) -> Proposal | _Unusable:
        """Return the candidate in an answer."""
        problem = self._prompting.problem
        parts = parted(reply.text, problem)
        extracted = extract(parts.own, problem.target.name) if not parts.bare else None
        if reply.finish is Finish.CUT and (extracted is None or not extracted.whole):
            return _Unusable("its answer was cut off at the limit of tokens, model.max_tokens", self._prompting.cut())
        if reply.finish is Finish.FILTERED:
            return _Unusable("its answer was withheld by the provider", self._prompting.no_code("it was withheld"))
        if extracted is None and not parts.bare:
            return _Unusable(_codeless(reply.text), self._prompting.no_code("there was no code in it"))
        placement = place_code(extracted, problem) if extracted is not None else Placement(edits=())
        elsewhere = elsewhere_of(parts, problem)
        if isinstance(placement, str):
            return self._misfit(placement)
        if isinstance(elsewhere, str):
            return self._misfit(elsewhere)
        if not placement.edits and not elsewhere:
            said = "it is the function as it stands already, without any change"
            return _Unusable("its answer changed nothing", self._prompting.no_code(said))
        moved = {0: "", 1: ", 1 statement moved into the function"}
        note = moved.get(placement.moved, f", {placement.moved} statements moved into the function")
        note += f", {len(elsewhere)} other file{'s'[: len(elsewhere) > 1]}" if elsewhere else ""
        return Proposal(edits=placement.edits, note=f"{model.name}{note}", elsewhere=elsewhere)

    def _misfit(self, why: str) -> _Unusable:
        return _Unusable(f"of its answer, {why}", self._prompting.no_code(why))


def _codeless(answer: str) -> str:
    """Return the message about an answer without code, quoting its beginning, which is often the model's own reason."""
    shown = " ".join(answer[: 4 * _SHOWN].split())[:_SHOWN]
    return f"there was no usable code in its answer, which begins {shown!r}" if shown else "its answer was empty"


def build(context: GeneratorContext) -> Generator:
    """Return the generator with the given options or defaults.

    Raises:
        BadSetting: The settings name no model, or one that is not available.
    """
    options = context.options
    chosen = options if isinstance(options, GenerationOptions) else GenerationOptions()
    models = tuple(context.models.named(name) for name in chosen.models or ("",))
    return ModelGenerator(models, context, chosen)
