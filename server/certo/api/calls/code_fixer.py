"""Code that is run, criticised and improved in rounds until it runs, after AgentTools' AICodeFixer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Literal

from certo.analysis.assertion_removal import mocking, without_assertions, without_tests
from certo.api.calls.call import AICall
from certo.api.calls.samples import Sample, SampleNode
from certo.api.calls.turns import gone_on
from certo.api.runtime import current_runtime
from certo.concurrency import side_by_side
from certo.generation.model.code_extraction import whole_program
from certo.generation.model.conversation import truncated
from certo.generation.prompt_templates import PromptTemplate, feedback_template
from certo.llm.prompt import Message
from certo.search.tree import before
from certo.verification.code_evaluation import SECONDS, Evaluation, evaluate, score_feedback
from certo.verification.code_feedback import code_feedback
from certo.vocabulary.errors import BadSetting, CertoError

Transform = Literal["nothing", "remove_all_tests", "remove_test_items"]
"""What is left out of code before it is run: nothing, all that is called like a test, or assertions alone."""

_TRANSFORMS = {
    "nothing": lambda code: code,
    "remove_all_tests": without_tests,
    "remove_test_items": without_assertions,
}


async def evaluate_code(
    said: str | Message | AICall,
    *,
    prefix: str = "",
    suffix: str = "",
    expression_transform: Transform = "nothing",
    execution_timeout: float = SECONDS,
) -> Evaluation:
    """Run the code of an answer, and of a call's last one, with its tests; see `Evaluation` for what comes of it.

    `prefix` and `suffix` are code that is put before and after it, each on lines of its own. It runs in a process of
    its own in the sandbox of the runtime in force, for at most `execution_timeout` seconds of processor time.

    Raises:
        BrokenWorld: nothing can be run here.
    """
    program = whole_program(_text(said))
    code = _TRANSFORMS[expression_transform](program.code)
    if code.strip():
        code = "\n".join(filter(None, (prefix, code, suffix)))
    executor, interpreter = await current_runtime().place()
    return await evaluate(code, executor, interpreter, seconds=execution_timeout, notes=program.notes)


async def evaluate_tests(
    said: str | Message | AICall, function: str, *, execution_timeout: float = SECONDS
) -> Evaluation:
    """Run the tests of an answer as if the function they are for were there, without what they assert.

    Tests that were written well run to their end then. What comes of others says what is wrong with them, and not with
    the function. As `evaluate_code`.
    """
    program = whole_program(_text(said))
    code = mocking(without_assertions(program.code), function) if program.code.strip() else ""
    executor, interpreter = await current_runtime().place()
    return await evaluate(code, executor, interpreter, seconds=execution_timeout, notes=program.notes)


def _text(said: str | Message | AICall) -> str:
    """Return a text, the text of a message, or that of a call's last answer."""
    if isinstance(said, AICall):
        last = said.last_message
        return last.text if last is not None and last.role == "assistant" else ""
    return said.text if isinstance(said, Message) else said


log = logging.getLogger(__name__)

MAX_CONVERSATION_LENGTH = 32_000
"""The number of characters of a conversation that are sent by default."""

Templates = str | PromptTemplate | Sequence[str]
"""The name of a template, a template, or texts of which the first opens the rounds and the last goes on with them."""


class CodeFixer:
    """A call whose code is run, and which is asked to mend it with what came of that, for `num_rounds` at the most.

    `templates` say what it is asked, with a place for `$feedback`; `feedback_func` makes that of an evaluation. A round
    that finds code that runs, and whose tests pass, is the last, and asks nothing. In the end the call stands at the
    best answer there was, the latest of equally good ones. What did not come right does not come right in silence:
    `call.success` is False then, and `evaluation` says why.

    `evaluations` are those of all answers by the number of their sample, `round_counter` counts the rounds so far.

    Raises:
        BadSetting: there is no such template, it has no place for feedback, or a number is out of its range.
    """

    def __init__(
        self,
        call: AICall,
        templates: Templates = "CodeFixerRCI",
        *,
        num_rounds: int = 3,
        feedback_func: Callable[[Evaluation], str] = code_feedback,
        execution_timeout: float = SECONDS,
        max_conversation_length: int = MAX_CONVERSATION_LENGTH,
    ) -> None:
        if num_rounds < 0:
            raise BadSetting(f"CodeFixer.num_rounds must be at least 0, not {num_rounds}")
        if not execution_timeout > 0:
            raise BadSetting(f"CodeFixer.execution_timeout must be more than 0 seconds, not {execution_timeout}")
        if max_conversation_length < 100:
            raise BadSetting(f"CodeFixer.max_conversation_length must be at least 100, not {max_conversation_length}")
        self.call = call
        self.template = _template(templates)
        self.num_rounds = num_rounds
        self.round_counter = 0
        self.evaluations: dict[int, Evaluation] = {}
        self._feedback_func = feedback_func
        self._timeout = execution_timeout
        self._most = max_conversation_length

    async def run(self, *, num_rounds: int | None = None) -> CodeFixer:
        """Run the call if it was not run yet, then as many rounds as are left, or `num_rounds` more.

        Raises:
            ModelFailed, BudgetExhausted: there was no answer, unless the call's config catches errors.
            BrokenWorld: nothing can be run here.
        """
        last = self.num_rounds if num_rounds is None else self.round_counter + num_rounds
        if self.call.success is None:
            await self.call.run()
        await self._evaluate_new()
        while self.round_counter < last and not self._succeeded and self.call.config.calls_left > 0:
            self._ask_for_better()
            self.round_counter += 1
            await self.call.run()
            await self._evaluate_new()
        if self.evaluations:
            best = max(self.evaluations, key=lambda number: (score_feedback(self.evaluations[number]), number))
            self.call.take_up(self.call.samples.find(best) or self.call.samples.root)
            self.call.success = self.evaluations[best].success
        log.info("%s rounds were made, and the code %s", self.round_counter, "runs" if self._succeeded else "fails")
        return self

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of the code in the answer that the call stands at; None before it was run."""
        return self.evaluations.get(self.call.active_sample_id)

    @property
    def _succeeded(self) -> bool:
        return any(evaluation.success for evaluation in self.evaluations.values())

    async def _evaluate_new(self) -> None:
        """Run the code of the answers that were not run yet, all at once, and go on from the best of them."""
        beginning = self.call.beginning
        answers = (node for node in before(beginning) if node is not beginning)
        new = [node for node in answers if node.id not in self.evaluations]
        found: dict[int, Evaluation] = {}
        stopped: list[CertoError] = []

        async def look(node: SampleNode[Sample]) -> None:
            try:
                text = node.data.conversation[-1].text
                found[node.id] = await evaluate_code(text, execution_timeout=self._timeout)
            except CertoError as error:
                # Kept out of the group, which would hand it on wrapped.
                stopped.append(error)
                group.cancel_scope.cancel()

        async with side_by_side() as group:
            for node in new:
                group.start_soon(look, node)
        if stopped:
            raise stopped[0]
        for node in new:
            evaluation = found[node.id]
            self.evaluations[node.id] = evaluation
            node.success, node.feedback = evaluation.success, self._feedback_func(evaluation)
            node.backpropagate(int(evaluation.success))
        if new:
            self.call.take_up(max(new, key=lambda node: (score_feedback(found[node.id]), node.id)))

    def _ask_for_better(self) -> None:
        """Put what came of the last answer into the conversation; where there was none, it is asked for again."""
        node = self.call.active_sample
        if node.id not in self.evaluations:
            return
        text = self.template.text(self.round_counter, feedback=node.feedback)
        turns = gone_on(node.data.conversation, Message(role="user", text=text))
        self.call.put(truncated(turns, self._most))


def _template(given: Templates) -> PromptTemplate:
    if not isinstance(given, str | PromptTemplate):
        given = PromptTemplate(name="of the fixer", texts=tuple(given))
    return feedback_template(given)
