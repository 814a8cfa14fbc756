"""The tools: each takes checked arguments and gives a structured answer with a few lines of text."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from certo.agents.answers import AppliedAnswer, Explanation, SearchAnswer
from certo.agents.arguments import (
    ApplyArguments,
    Arguments,
    CheckArguments,
    CompareArguments,
    DiffArguments,
    ExplainArguments,
    GenerateArguments,
    RepairArguments,
    StrengthArguments,
    TestsArguments,
    VerifyArguments,
)
from certo.agents.evidence_tools import check, compare, diff, strength, verify, write_tests
from certo.agents.search_tools import apply, explain, generate, repair
from certo.agents.toolkit import Answer
from certo.agents.workspace import Workspace
from certo.protocol.behaviour import BehaviourDiff
from certo.protocol.candidates import CompareResult
from certo.protocol.claims import CheckedVerdict
from certo.protocol.strength import TestStrength
from certo.protocol.values import CurrentReport
from certo.protocol.written_tests import CurrentTestsReport
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.progress import Say
from certo.vocabulary.records import dataclass

Run = Callable[[Workspace, Any, Say], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTool:
    """A tool: its name, its purpose, what it takes and gives, and what it does; `edits` says if it may edit files."""

    name: str
    title: str
    purpose: str
    takes: type[Arguments]
    gives: type[BaseModel]
    run: Run
    edits: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        return self.takes.model_json_schema()

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of the structured answer."""
        return self.gives.model_json_schema(mode="serialization")

    def read(self, arguments: Mapping[str, Any]) -> Arguments:
        """Return checked arguments.

        Raises:
            BadRequest: One of them is missing, unknown, of another type, or out of its bounds.
        """
        try:
            # From JSON, for only there a list may stand for a tuple when types are strict.
            return self.takes.model_validate_json(json.dumps(arguments))
        except (ValidationError, ValueError, RecursionError) as error:
            raise BadRequest(f"{self.name}: {_said(error)}") from error


def _said(error: Exception) -> str:
    """Return what is wrong with the arguments, without the values: they may be huge."""
    if not isinstance(error, ValidationError):
        return "the arguments are not JSON as expected"
    parts = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:5]]
    return "; ".join(parts)


TOOLS = (
    AgentTool(
        name="verify",
        title="Verify a function",
        purpose="Judge a function as it is now: run its tests in a sandbox, apart from them and with broken "
        "assertions, and say if they show that it is right. Gives a digest that vouches for the verdict.",
        takes=VerifyArguments,
        gives=CurrentReport,
        run=verify,
    ),
    AgentTool(
        name="repair",
        title="Repair a function",
        purpose="Search for a change that makes the failing tests of a function pass, and verify it. Takes a function "
        "or a failing test. Edits files only with apply: true, and only what is verified.",
        takes=RepairArguments,
        gives=SearchAnswer,
        run=repair,
        edits=True,
    ),
    AgentTool(
        name="generate",
        title="Write a function",
        purpose="Search for the body of a stub, a change that an instruction asks for, or a faster version, and verify "
        "it. Edits files only with apply: true, and only what is verified.",
        takes=GenerateArguments,
        gives=SearchAnswer,
        run=generate,
        edits=True,
    ),
    AgentTool(
        name="tests",
        title="Write tests",
        purpose="Write tests that state what a function does today, each of which notices a change that no test before "
        "it noticed. Adds them to the test file only with apply: true.",
        takes=TestsArguments,
        gives=CurrentTestsReport,
        run=write_tests,
        edits=True,
    ),
    AgentTool(
        name="diff",
        title="Compare with an older version",
        purpose="Find calls that a function answers otherwise than its version of a git revision.",
        takes=DiffArguments,
        gives=BehaviourDiff,
        run=diff,
    ),
    AgentTool(
        name="strength",
        title="Measure the tests",
        purpose="Count how many small changes of a function its tests notice, and give a call for each that they miss.",
        takes=StrengthArguments,
        gives=TestStrength,
        run=strength,
    ),
    AgentTool(
        name="compare",
        title="Compare two candidates",
        purpose="Find a call that two candidates of a search answer differently.",
        takes=CompareArguments,
        gives=CompareResult,
        run=compare,
    ),
    AgentTool(
        name="explain",
        title="Explain a search",
        purpose="Say in words what a search tried, or why one of its candidates passed or failed.",
        takes=ExplainArguments,
        gives=Explanation,
        run=explain,
    ),
    AgentTool(
        name="apply",
        title="Apply a candidate",
        purpose="Write a verified candidate of an earlier repair or generate to the project's files. It is verified "
        "again if the text has changed.",
        takes=ApplyArguments,
        gives=AppliedAnswer,
        run=apply,
        edits=True,
    ),
    AgentTool(
        name="check",
        title="Check a digest",
        purpose="Say what the digest of a verdict vouches for, and if code and tests are still those of the verdict.",
        takes=CheckArguments,
        gives=CheckedVerdict,
        run=check,
    ),
)
"""All tools, in the order in which they are listed."""
