"""A call of a model that is made when it is run: its conversation, its answers, and what came of it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from certo.api.calls.config import RetryConfig
from certo.api.calls.samples import Sample, SampleNode, asked_at_once, copy_of, spent_on
from certo.api.calls.turns import Turns, Words, filled, gone_on, opening, question_of, split_multi_samples
from certo.api.contextual_model import ContextualModel
from certo.api.model_context import ModelContext, working
from certo.api.runtime import current_runtime
from certo.generation.prompt_templates import PromptTemplate
from certo.llm.ledger import Ledger
from certo.llm.model import ChatModel
from certo.llm.prompt import Message, Prompt, Reply, Sampling
from certo.llm.typed.answer_type import AnswerMismatch, AnswerType
from certo.llm.typed.typed_answer import told_shape, value_of
from certo.search.tree import Tree
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadRequest, BadSetting, BudgetExhausted, CertoError, ModelFailed

PREVIEW = 100
"""How many characters of the last turn are shown."""


class AICall:
    """A question to a model of which nothing is sent before `run`, and which can be run again.

    `prompt` is a text, a turn or turns of a conversation, or a template. Its placeholders, such as `$name`, get their
    `values` when it is first run; a value that has no place yet is kept for what is said later. `model` is as for
    `LLM`, of which nothing but the model counts, and that of the runtime in force where it is not given.

    `conversation` is what will be sent next, the last answer included; `samples` the tree of all answers, and
    `active_sample_id` the one that the conversation is of. `success` says whether the last run gave an answer, or
    whether the last condition held; None before there was either. `error` is what went wrong in the last run, even
    where other answers came. `memory` is for conditions to keep what they like in. `budget` bounds the calls, tokens
    and dollars of this call and its copies together, before each question is sent, but dollars only as far as prices
    are known by then; `ledger` says what they have taken, where there is a budget.

    One call is run once at a time; for several at once there are copies.
    """

    shape: AnswerType | None = None
    """What an answer has to be; text when there is none."""

    def __init__(
        self,
        prompt: Words,
        *,
        model: str | ChatModel | None = None,
        system: str = "",
        sampling: Sampling = Sampling(),  # noqa: B008 - a frozen value
        config: RetryConfig | None = None,
        budget: Budget | None = None,
        **values: object,
    ) -> None:
        self.conversation: Turns = opening(prompt, system)
        self.model = model
        self.sampling = sampling
        self.config = config or RetryConfig()
        self.ledger = None if budget is None else Ledger(budget, group="budget")
        self.values = dict(values)
        self.success: bool | None = None
        self.error: CertoError | None = None
        self.samples: Tree[Sample] = Tree(Sample(conversation=self.conversation, question=self.conversation))
        self.active_sample_id = self.samples.root.id
        self.memory: dict[str, Any] = {}
        self._needed = prompt.placeholders if isinstance(prompt, PromptTemplate) else frozenset[str]()
        self._began = self._running = False
        self._question: Turns | None = None
        self._replied: tuple[int, Turns] | None = None
        self._asked = 0

    async def run(self, *, n_samples: int | None = None, catch_errors: bool | None = None) -> Self:
        """Send the conversation, `n_samples` times at once, and take each answer into the tree; the last is active.

        It succeeds when there is one answer that is what it was to be. When it fails, the conversation stays as it was,
        so that it can be run again. No more answers are asked for than `config.max_calls` leaves.

        Raises:
            ModelFailed, BudgetExhausted: there was no such answer, unless `catch_errors` or the config's says to tell
                that by `error`.
            BadRequest: it is being run already, there is no such model, or a template lacks a value.
        """
        self._refuse_second_run()
        catching = self.config.catch_errors if catch_errors is None else catch_errors
        self._running = True
        try:
            self._begin()
            self._leave_answer()
            number = min(self.config.n_samples if n_samples is None else n_samples, self.config.calls_left)
            self._check_dollars()
            if number < 1:
                raise BudgetExhausted(
                    f"config.max_calls = {self.config.max_calls} answers were given; raise it to go on"
                )
            self._take(await self._ask(number))
        except CertoError as error:
            self.success, self.error = False, error
            if not catching or isinstance(error, BadRequest):
                raise
        finally:
            self._running = False
        return self

    async def __call__(self, said: str | Message, **values: object) -> Self:
        """Add a turn to the conversation, and run; the turn may have placeholders too."""
        # Before anything changes: the conversation is that of the run that goes on.
        self._refuse_second_run()
        self._begin()
        turn = Message(role="user", text=said) if isinstance(said, str) else said
        self.values |= values
        self.conversation = gone_on(self.conversation, self._filled((turn,))[0])
        self._replied = (self.active_sample_id, self.conversation)
        return await self.run()

    def _refuse_second_run(self) -> None:
        """Refuse what would change the call while it is being run.

        Raises:
            BadRequest: it is being run.
        """
        if self._running:
            raise BadRequest(f"{type(self).__name__} is being run already; run a copy of it beside it")

    def __bool__(self) -> bool:
        return self.is_valid

    @property
    def is_valid(self) -> bool:
        """True if there is an answer, and the last condition it was held against was met."""
        return self.success is True

    @property
    def active_sample(self) -> SampleNode[Sample]:
        """The answer that the conversation is of, or goes on from; the root when there is none yet."""
        return self.samples.find(self.active_sample_id) or self.samples.root

    @property
    def last_message(self) -> Message | None:
        """The last turn of the conversation."""
        return self.conversation[-1] if self.conversation else None

    @property
    def last_output(self) -> Any:
        """The value of the last answer, which is its text for a call that wants text; else the last turn's text."""
        active = self.active_sample.data
        if active.reply is not None and active.conversation == self.conversation:
            return active.value
        return self.conversation[-1].text if self.conversation else None

    @property
    def tokens(self) -> int:
        """The tokens of all answers, as far as they are known."""
        return spent_on(node.data.reply for node in self.samples if node.data.reply is not None)[0]

    @property
    def dollars(self) -> float | None:
        """The price of all answers; None where that of one is not known."""
        return spent_on(node.data.reply for node in self.samples if node.data.reply is not None)[1]

    @property
    def beginning(self) -> SampleNode[Sample]:
        """The node that answers to the last turn are added to: the answer that the turn replied to, or the root."""
        return self.samples.root if self._replied is None else self.samples.find(self._replied[0]) or self.samples.root

    def take_up(self, node: SampleNode[Sample]) -> None:
        """Go on from one of the answers of this call; from where the last question was asked, with that question."""
        if self.beginning not in node.path:
            self._replied = None
        self.active_sample_id, self._question = node.id, None
        self.conversation = node.data.conversation
        if self._replied is not None and self._replied[0] == node.id:
            self.conversation = self._replied[1]

    def put(self, conversation: Turns, *, question: Turns | None = None) -> None:
        """Send this next; `question` is what it is without feedback that was put into it in place."""
        self.conversation, self._question = conversation, question

    def at(self, node: SampleNode[Sample]) -> Self:
        """Return a copy of the call that stands at one of its answers, with the same memory; this one stays as is."""
        seen = copy.copy(self)
        seen.memory = self.memory
        seen.take_up(seen.samples.find(node.id) or seen.samples.root)
        return seen

    def __copy__(self) -> Self:
        """Return a call of its own with the same answers, counters and memory so far."""
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied.samples, copied._running = copy_of(self.samples), False
        copied.config = replace(self.config)
        copied.values, copied.memory = dict(self.values), copy.copy(self.memory)
        return copied

    def __repr__(self) -> str:
        shown = f"{type(self).__name__}(Messages: {len(self.conversation)}, Success: {self.success})"
        answer = self.last_message
        if answer is None or answer.role != "assistant":
            return shown
        return f"{shown}\n- Preview of the last answer: {' '.join(answer.text.split())[:PREVIEW]}"

    def _value(self, reply: Reply) -> Any:
        """Return the value of an answer.

        Raises:
            AnswerMismatch: it is not what this call wants.
        """
        return value_of(reply, self.shape)

    def _prompt(self, sampling: Sampling) -> Prompt:
        """Return the conversation as it is sent."""
        prompt = Prompt(messages=told_shape(self.conversation, self.shape), sampling=sampling, sample=self._asked)
        if self.shape is None:
            return prompt
        return replace(prompt, schema=self.shape.schema, schema_name=self.shape.name)

    def _begin(self) -> None:
        """Fill the placeholders of the beginning, once.

        Raises:
            BadSetting: a template lacks a value.
        """
        if self._began:
            return
        if missing := sorted(self._needed - self.values.keys()):
            raise BadSetting(f"the call's template needs a value for ${missing[0]}; give {missing[0]}=…")
        self.conversation = self._filled(self.conversation)
        # What is asked is kept before it is asked, so that it is there to be asked again when no answer comes.
        self.samples.root.data = Sample(conversation=self.conversation, question=self.conversation)
        self._began = True

    def _leave_answer(self) -> None:
        """Ask again what was answered last, where nothing was said since; an answer is no turn to send alone."""
        active = self.active_sample.data
        if active.reply is not None and active.conversation == self.conversation:
            self.put(question_of(self.conversation), question=active.question)

    def _filled(self, turns: Turns) -> Turns:
        """Return turns with the values that have a place in them, which are used up by that."""
        told, used = filled(turns, self.values)
        self.values = {name: value for name, value in self.values.items() if name not in used}
        return told

    async def _ask(self, number: int) -> list[Reply | CertoError]:
        """Ask so often at once; the answers, or why there is none, in the order of asking."""
        model = current_runtime().llm or "" if self.model is None else self.model
        async with working() as account:
            prompt = self._prompt(self._sampling(account, model))
            self._asked += number
            paying = account if self.ledger is None else account.limited(self.ledger)
            return await asked_at_once(paying, model, prompt, number)

    def _check_dollars(self) -> None:
        """Refuse to go on when all dollars are spent, which the ledger cannot see before where no price is known.

        Raises:
            BudgetExhausted: they are.
        """
        if self.ledger is None:
            return
        most, taken = self.ledger.budget.dollars, self.ledger.taken.dollars
        if most is not None and taken is not None and taken >= most:
            raise BudgetExhausted(f"budget.dollars = {most:g} are spent; raise it to go on")

    def _sampling(self, account: ModelContext, model: str | ChatModel) -> Sampling:
        """Return the sampling, with the config's temperature where neither it nor the settings have one."""
        if self.sampling.temperature is not None:
            return self.sampling
        while isinstance(model, ContextualModel):
            model = model.asked
        if isinstance(model, str) and account.options(model).temperature is not None:
            return self.sampling
        return replace(self.sampling, temperature=self.config.temperature)

    def _take(self, outcomes: Sequence[Reply | CertoError]) -> None:
        """Add the answers below the active one.

        Raises:
            CertoError: none of them is what was wanted; the first reason.
        """
        parent, question = self.active_sample, self._question or self.conversation
        failures = [outcome for outcome in outcomes if isinstance(outcome, CertoError)]
        replies = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
        answers = [Message(role="assistant", text=reply.text) for reply in replies]
        added: list[SampleNode[Sample]] = []
        for reply, conversation in zip(replies, split_multi_samples((*self.conversation, *answers)), strict=False):
            sample = Sample(conversation=conversation, question=question, reply=reply)
            try:
                sample = replace(sample, value=self._value(reply))
            except AnswerMismatch as error:
                sample = replace(sample, misfit=str(error))
            added.append(self.samples.expand(parent, sample, success=not sample.misfit))
        for node in added:
            if misfit := node.data.misfit:
                node.feedback = f"The answer cannot be used: {misfit}."
                node.backpropagate(0)
                failures.append(ModelFailed(f"{type(self).__name__} got no answer that fits: {misfit}"))
        fitting = [node for node in added if node.success]
        self.config.calls += len(fitting)
        if added:
            self.take_up((fitting or added)[-1])
        self.success, self.error = bool(fitting), failures[0] if failures else None
        if not fitting and failures:
            raise failures[0]
