"""The tools for the document of one problem, each kept running if possible, with the base text read once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import field, replace
from pathlib import Path

from certo.sandbox.executor import Executor, Interpreter
from certo.verification.options import ToolOptions
from certo.verification.tools.custom_checks import CustomVerifier
from certo.verification.tools.runner import Inspector, ProjectTool, chosen_tools
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """The project's tools with their executor; `warm` has other executors, by tool name, for those kept running.

    `own` is the place of certo's own tools, for projects that have none.
    """

    executor: Executor
    interpreter: Interpreter
    options: ToolOptions
    own: Path | None = None
    warm: Mapping[str, Executor] = field(default_factory=dict)

    def custom(self) -> CustomVerifier:
        """Return the verifier of the user's own checks."""
        return CustomVerifier(
            executor=self.executor,
            interpreter=self.interpreter,
            checks=self.options.custom,
            seconds=self.options.seconds,
        )

    def chosen(self, problem: Problem) -> tuple[ProjectTool, ...]:
        """Return the tools that read the document of a problem."""
        return chosen_tools(problem.root, problem.path, self.options, self.own)

    def inspector(self, tool: ProjectTool, problem: Problem) -> Inspector:
        """Return the inspector with which one of the tools reads candidates for a problem."""
        return Inspector(
            tool=tool,
            problem=problem,
            executor=self.warm.get(tool.name, self.executor),
            interpreter=self.interpreter,
            seconds=self.options.seconds,
            own=self.own,
        )


@asynccontextmanager
async def warm_toolbox(cold: Toolbox, problem: Problem) -> AsyncIterator[Toolbox]:
    """Yield the same tools, kept running for one problem from their first use to the end of the context."""
    async with AsyncExitStack() as stack:
        warm = {}
        for tool in cold.chosen(problem):
            like = cold.inspector(tool, problem).work(problem.text)
            warm[tool.name] = await stack.enter_async_context(cold.executor.warmed(like))
        yield replace(cold, warm=warm)
