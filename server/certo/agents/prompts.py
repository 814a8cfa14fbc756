"""Prompts for the usual workflows: instructions for an agent, with the tools to use."""

from __future__ import annotations

from collections.abc import Mapping

from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

_MAX_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPrompt:
    """A prompt: its one argument with its meaning, and the text around it."""

    name: str
    title: str
    purpose: str
    argument: str
    meaning: str
    text: str

    def filled(self, arguments: Mapping[str, str]) -> str:
        """Return the text with its argument.

        Raises:
            BadRequest: The argument is missing or too long, or there are others.
        """
        value = arguments.get(self.argument, "").strip()
        if not value or len(value) > _MAX_CHARACTERS or set(arguments) != {self.argument}:
            raise BadRequest(f"the prompt {self.name} takes one argument, {self.argument}: {self.meaning}")
        return self.text.format(value=value)


PROMPTS = (
    AgentPrompt(
        name="repair-failing-test",
        title="Repair a failing test",
        purpose="Find the function at fault, repair it, and show the evidence",
        argument="test",
        meaning="the failing test, as tests/test_till.py::test_total",
        text="Repair what makes {value} fail. Call certo's tool `repair` with it as target, without apply. Show me the "
        "diff, its checks and what is not covered. If the outcome is verified and I agree, call `apply`. Do not change "
        "the test. If nothing passes, call `explain` and say why; do not claim a repair that is not verified.",
    ),
    AgentPrompt(
        name="implement-function",
        title="Implement a stub",
        purpose="Write the body of a stub so that its tests pass",
        argument="target",
        meaning="the stub, as till.py::total",
        text="Implement {value}. Call certo's tool `generate` with it as target. If it has no tests, first ask me for "
        "two or three examples and pass them as `examples`. Show me the diff and the evidence, and call `apply` when I "
        "agree. If several candidates passed, call `compare` for the first two, and ask me which behaviour is right.",
    ),
    AgentPrompt(
        name="check-my-change",
        title="Check a change",
        purpose="Tell what a change of a function does, and if its tests notice",
        argument="target",
        meaning="the changed function, as till.py::total",
        text="I changed {value}. Call certo's tools `diff` (against HEAD), `verify` and `strength` for it. Tell me "
        "each call that is answered otherwise and if I meant that, if the function is verified, and which small "
        "changes no test notices. Quote the digest of the verdict, so that I can check it with `certo check`.",
    ),
    AgentPrompt(
        name="write-missing-tests",
        title="Write missing tests",
        purpose="Write tests that notice what the present ones miss",
        argument="target",
        meaning="the function, as till.py::total",
        text="Write tests for {value}. Call certo's tool `strength` and then `tests` for it, without apply. Show me "
        "the tests, the changes that they notice, and each call that looks wrong. They state what the function does "
        "today, so ask me if each of these results is right. Then call `tests` with apply: true.",
    ),
)
"""All prompts, in the order in which they are listed."""
