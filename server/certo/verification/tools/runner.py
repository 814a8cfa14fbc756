"""The project's own tools that read code, and a run of one of them over two texts of a document."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path

from certo.guests import WORKER_HOME
from certo.project.configuration import configured_tools
from certo.sandbox.executor import Ending, Executor, Finished, Interpreter, Limits, Message, Policy, Program, Work
from certo.verification.options import ToolOptions
from certo.verification.tools.diagnostics import Diagnostic, InspectedText, new_remarks, new_suppressions
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

_GRACE = 5.0
"""Additional seconds for the start and end of a program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectTool:
    """A tool that reads code: its name, the verifier it judges for, and the permissions it needs.

    `distribution` is the package to install for it, if that has another name.
    """

    name: str
    verifier: str
    policy: Policy = Policy.STRICT
    distribution: str = ""

    @property
    def setting(self) -> str:
        """The setting that chooses it."""
        return f"verify.{self.verifier}"

    def is_named(self, options: ToolOptions) -> bool:
        """True if the settings name this tool explicitly."""
        return self.name in (options.types, options.lint)


TOOLS: Mapping[str, ProjectTool] = {
    tool.name: tool
    for tool in (
        # Ruff is no Python module but a program, so a run of it must be allowed to start programs. None of that is for
        # the candidate, which is read in that run and never executed.
        ProjectTool(name="ruff", verifier="lint", policy=Policy.SUBPROCESS),
        ProjectTool(name="flake8", verifier="lint"),
        ProjectTool(name="mypy", verifier="types"),
        # These two are programs as well. Pyright would fetch a Node.js when it is started; basedpyright brings one.
        ProjectTool(name="pyright", verifier="types", policy=Policy.SUBPROCESS, distribution="basedpyright"),
        ProjectTool(name="ty", verifier="types", policy=Policy.SUBPROCESS),
    )
}
"""The tools by name; of two for the same verifier, the first configured one is used."""


def own_tools() -> Path | None:
    """Return the directory in which certo itself has ty (the extra `certo[tools]`), or None."""
    return next(
        (place for place in _script_folders() if any((place / name).is_file() for name in ("ty", "ty.exe"))), None
    )


@cache
def _script_folders() -> tuple[Path, ...]:
    """Return the folders that pip installs programs of this environment in."""
    return tuple(dict.fromkeys((Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))))


def chosen_tools(root: Path, path: str, options: ToolOptions, own: Path | None = None) -> tuple[ProjectTool, ...]:
    """Return the tools that read the document at `path`: at most one per verifier.

    If a project configures no type checker, ty is used if certo has it in the directory `own`.
    """
    configured = configured_tools(root, path) | ({"ty"} if own is not None else set())
    found: dict[str, ProjectTool] = {}
    for tool in TOOLS.values():
        choice = options.types if tool.verifier == "types" else options.lint
        if choice == tool.name or (choice == "auto" and tool.name in configured):
            found.setdefault(tool.verifier, tool)
    return tuple(found.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The result of a comparison: the `new` diagnostics of a candidate, or the `trouble` that prevented it.

    `why` is the kind of trouble: `absent`, `excluded`, `broken`, or `slow`; `trouble` completes the sentence "mypy …".
    """

    new: tuple[Diagnostic, ...] = ()
    why: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspector:
    """Runs one tool over texts of one document in a sandbox, and compares its diagnostics.

    `problem` has the document's path and base text. `seconds` are processor time, because a busy machine is not the
    tool's fault. `own` is the place of certo's own tools, for those used as a fallback.
    """

    tool: ProjectTool
    problem: Problem
    executor: Executor
    interpreter: Interpreter
    seconds: float
    own: Path | None = None

    def work(self, text: str) -> Work:
        """Return the run that reads the base text and then `text`; runs on several texts differ only in the request.

        There is no overlay: the tool is given the texts, so that no plug-in of it can import a candidate.
        """
        most = self.seconds + _GRACE
        texts = {**self.problem.unsaved, self.problem.path: self.problem.text}
        return Work(
            program=Program(home=WORKER_HOME, module="certo_worker.tools.inspection"),
            request={"text": text},
            preparation={"tool": self.tool.name, "path": self.problem.path, "texts": texts, "further": self._further()},
            interpreter=self._interpreter(),
            root=self.problem.root,
            limits=Limits.within(most),
            policy=self.tool.policy,
        )

    def _further(self) -> dict[str, str]:
        return {"own": str(self.own)} if self.tool.name == "ty" and self.own is not None else {}

    def _interpreter(self) -> Interpreter:
        """Return the project's interpreter, extended by certo's own tool if the project lacks one."""
        seen = [self.own] if self._further() and self.own is not None else []
        return replace(self.interpreter, readable=(*self.interpreter.readable, *seen))

    async def compare(self, text: str) -> Compared:
        """Return the diagnostics of `text` that the base text lacks.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        heard = _InspectionReplies()
        finished = await self.executor.run(self.work(text), heard)
        if trouble := _trouble(heard, finished):
            return trouble
        base, candidate = (
            InspectedText(text=each, remarks=tuple(heard.remarks[about]))
            for each, about in ((self.problem.text, "base"), (text, "candidate"))
        )
        silences = new_suppressions(self.tool.name, self.problem.text, text)
        return Compared(new=(*new_remarks(base, candidate), *silences))


@dataclass(slots=True)
class _InspectionReplies:
    """Messages received so far in a run; called with each message."""

    remarks: dict[str, list[Diagnostic]] = field(default_factory=lambda: {"base": [], "candidate": []})
    why: str = ""
    message: str = ""
    nonsense: bool = False

    def __call__(self, message: Message) -> None:
        """Store one message; a malformed one is only noted, because plug-ins of the project run in the sender."""
        try:
            if message["kind"] == "trouble":
                self.why, self.message = str(message["why"]), str(message["message"])
                return
            remark = Diagnostic(
                line=int(message["line"]),
                code=str(message["code"]),
                message=str(message["message"]),
            )
            self.remarks[message["about"]].append(remark)
        except (KeyError, TypeError, ValueError):
            self.nonsense = True


def _trouble(heard: _InspectionReplies, finished: Finished) -> Compared | None:
    """Return the trouble that kept the tool from reading both texts, or None."""
    if heard.why == "broken":
        return Compared(why="broken", trouble=f"broke down: {heard.message}")
    if heard.why:
        return Compared(why=heard.why, trouble=f"is {heard.why}")
    if finished.ending in (Ending.WALL, Ending.CPU):
        return Compared(why="slow", trouble=finished.words)
    if finished.ending is not Ending.EXITED:
        return Compared(why="broken", trouble=finished.ending.value)
    if heard.nonsense or not finished.complete:
        last = finished.printed.strip().splitlines()[-1:] or ["it printed nothing"]
        return Compared(why="broken", trouble=f"ended before its end: {last[0][:300]}")
    return None
