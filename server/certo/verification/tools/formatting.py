"""Writing a candidate as the project's own ruff formats it."""

from __future__ import annotations

from dataclasses import dataclass, field

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Limits, Message, Program, Work
from certo.verification.tools.runner import TOOLS
from certo.verification.tools.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem

_GRACE = 5.0
"""Seconds in which a program starts and says goodbye."""


async def formatted(candidate: Candidate, problem: Problem, toolbox: Toolbox) -> str | None:
    """Return a candidate's whole text as the project's ruff formats it.

    None where the project does not lint by ruff, or where ruff would not leave the base text as it is: then the user
    writes it otherwise.

    Raises:
        BrokenWorld: nothing can be run at all.
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
    """The texts a run has told so far; called with each message."""

    texts: list[str] = field(default_factory=list)

    def __call__(self, message: Message) -> None:
        """Take in one message; no plug-in of the project's runs there, so all is what our program says."""
        if message.get("kind") == "formatted":
            self.texts.append(str(message.get("text")))
