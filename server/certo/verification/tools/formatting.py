"""Formatting of a candidate by the project's own ruff."""

from __future__ import annotations

from dataclasses import field

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Limits, Message, Program, Work
from certo.verification.tools.runner import TOOLS
from certo.verification.tools.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

_GRACE = 5.0
"""Additional seconds for the start and end of a program."""


async def formatted(candidate: Candidate, problem: Problem, toolbox: Toolbox) -> str | None:
    """Return a candidate's whole text formatted by the project's ruff.

    None if the project does not lint with ruff, or if ruff would change the base text: then the user formats otherwise.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    if "ruff" not in problem.baseline_run.tools:
        return None
    most = toolbox.options.seconds + _GRACE
    heard = _FormattingReplies()
    finished = await toolbox.executor.run(
        Work(
            program=Program(home=WORKER_HOME, module="certo_worker.tools.format"),
            request={"path": problem.path, "texts": [problem.text, candidate.text]},
            interpreter=toolbox.interpreter,
            root=problem.root,
            limits=Limits.within(most),
            policy=TOOLS["ruff"].policy,
        ),
        heard,
    )
    if not finished.complete or len(heard.texts) != 2 or heard.texts[0] != problem.text:
        return None
    return heard.texts[1]


@dataclass(slots=True)
class _FormattingReplies:
    """The texts received so far in a run; called with each message."""

    texts: list[str] = field(default_factory=list)

    def __call__(self, message: Message) -> None:
        """Store one message; it is trusted, because no plug-in of the project runs there."""
        if message.get("kind") == "formatted":
            self.texts.append(str(message.get("text")))
