"""The code that a model wrote, run in the sandbox: what became of it, and whether its tests are any."""

from __future__ import annotations

from typing import Literal

from certo.api.asking.call import AICall
from certo.api.runtime import current_runtime
from certo.generation.model.programs import whole_program
from certo.llm.prompt import Message
from certo.verification.assertions import mocking, without_assertions, without_tests
from certo.verification.evaluation import SECONDS, Evaluation, evaluate

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
    its own in the sandbox of the runtime in force, for at most `execution_timeout` seconds, and never in this one.

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
    """What was said, or what a call was answered."""
    if isinstance(said, AICall):
        last = said.last_message
        return last.text if last is not None and last.role == "assistant" else ""
    return said.text if isinstance(said, Message) else said
