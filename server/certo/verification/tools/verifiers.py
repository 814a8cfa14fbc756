"""Verifiers by the project's own tools: a candidate must have no new diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from certo.concurrency import gather_until
from certo.sandbox.executor import Interpreter
from certo.verification.dynamic.rerun import bounded
from certo.verification.static.text_verdict import too_large
from certo.verification.tools.diagnostics import Diagnostic
from certo.verification.tools.runner import TOOLS, Compared, ProjectTool
from certo.verification.tools.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import NOT_INSTALLED, Goal, Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span
from certo.vocabulary.verdict import Finding, Ruling, Verdict

_EMPTY = "certo_tries_its_tools.py"
"""A module name that no project has, for trying a tool without a candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedTools:
    """The names of the tools that can judge the candidates of a problem, and messages about the others."""

    fit: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def added_to(self, problem: Problem) -> Problem:
        """Return the problem with these tools."""
        problems = (*problem.baseline.problems, *self.problems)
        return replace(
            problem,
            baseline=replace(problem.baseline, problems=problems),
            baseline_run=replace(problem.baseline_run, tools=self.fit),
        )


async def with_tools(problem: Problem, toolbox: Toolbox, say: Callable[[str], None]) -> Problem:
    """Return the problem with the tools that can judge its candidates; raises what `try_tools` raises."""
    names = " and ".join(tool.name for tool in toolbox.chosen(problem))
    if names:
        say(f"letting {names} read {problem.path} as it is")
    return (await try_tools(problem, toolbox)).added_to(problem)


async def try_tools(problem: Problem, toolbox: Toolbox) -> TriedTools:
    """Try the project's tools on the current text, all at once.

    A tool in trouble is left out with a message: otherwise it would refuse every candidate. Those that are not
    installed share one line. A tool named in a setting is required. Nothing of the problem's baseline matters.

    Raises:
        BrokenWorld: Nothing can be run at all, or a tool named in a setting is in trouble.
    """
    tools = toolbox.chosen(problem)
    asked = [partial(toolbox.inspector(tool, problem).compare, problem.text) for tool in tools]
    found = await gather_until(asked, lambda _: False)
    fit, problems, absent = [], [], []
    for place, tool in enumerate(tools):
        compared = found[place]
        named = tool.is_named(toolbox.options)
        if not compared.why and not compared.new:
            fit.append(tool.name)
        # The user does not want files judged that the tool's own configuration excludes.
        elif compared.why == "excluded":
            left_out = f"{tool.name} is configured to leave {problem.path} out, so the check {tool.verifier} is too"
            problems += [left_out] if named else []
        else:
            trouble = trouble_of(tool, compared, toolbox.interpreter)
            if named:
                raise BrokenWorld(trouble.insisting)
            if compared.why == "absent":
                absent.append(tool)
            else:
                problems.append(trouble.leaving_out)
    problems += [_not_installed(absent, toolbox.interpreter)] if absent else []
    return TriedTools(fit=tuple(fit), problems=tuple(problems))


def _not_installed(tools: Sequence[ProjectTool], interpreter: Interpreter) -> str:
    names = ", ".join(tool.name for tool in tools)
    checks = " and ".join(f"the check {tool.verifier}" for tool in tools)
    verb = "is" if len(tools) == 1 else "are"
    install = f"{interpreter.executable} -m pip install {' '.join(tool.distribution or tool.name for tool in tools)}"
    return f"{NOT_INSTALLED}{names}, so {checks} {verb} left out; to have {'it' if verb == 'is' else 'them'}: {install}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailure:
    """The reason why a tool cannot judge, as the start of a sentence, and a remedy, as its end."""

    tool: ProjectTool
    what: str
    remedy: str = ""

    @property
    def leaving_out(self) -> str:
        """Message about a tool that certo chose."""
        return f"{self.left_out}; {self.mending}" if self.mending else self.left_out

    @property
    def left_out(self) -> str:
        """The first part of that message: the reason."""
        return f"{self.what}{',' if self.remedy else ';'} so the check {self.tool.verifier} is left out"

    @property
    def mending(self) -> str:
        """The second part: the remedy; empty if none is known."""
        return f'{self.remedy}, or set {self.tool.setting} to "off"' if self.remedy else ""

    @property
    def insisting(self) -> str:
        """Message about a tool that a setting names."""
        remedy = self.remedy or "put that right"
        return (
            f"{self.what}, and {self.tool.setting} insists on {self.tool.name}; {remedy}, "
            f'or set {self.tool.setting} to "auto" or "off"'
        )


def trouble_of(
    tool: ProjectTool, compared: Compared, interpreter: Interpreter, text: str = "the current text"
) -> ToolFailure:
    """Return the reason why a tool that had trouble with `text` cannot judge."""
    if compared.why == "absent":
        install = f"install it: {interpreter.executable} -m pip install {tool.distribution or tool.name}"
        return ToolFailure(tool=tool, what=f"{interpreter.executable} has no {tool.name}", remedy=install)
    if compared.why == "slow":
        return ToolFailure(tool=tool, what=f"On {text} {tool.name} {compared.trouble}", remedy="raise verify.seconds")
    if compared.new:
        return ToolFailure(tool=tool, what=f"{tool.name} does not say the same twice of {text}")
    return ToolFailure(tool=tool, what=f"On {text} {tool.name} {compared.trouble}")


def nothing_in(root: Path) -> Problem:
    """Return a problem about an empty module of a project, for a trial."""
    nothing = Span(0, 0)
    target = Target(qualname="nothing", span=nothing, body=nothing, line=1, signature="")
    return Problem(root=root, path=_EMPTY, text="", target=target, goal=Goal.REWRITE)


async def try_out(tool: ProjectTool, toolbox: Toolbox, root: Path) -> ToolFailure | None:
    """Try a tool on an empty module of a project; return the reason why it fails, or None.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    compared = await toolbox.inspector(tool, nothing_in(root)).compare("")
    if not compared.why or compared.why == "excluded":
        return None
    return trouble_of(tool, compared, toolbox.interpreter, "an empty module")


async def judge_by_tool(verifier: str, candidate: Candidate, problem: Problem, toolbox: Toolbox) -> Verdict:
    """Judge a candidate by the baseline's tool for `verifier`, file by file.

    Every file is read before and after among the candidate's other files. So an error that a change causes in an
    unchanged line of another file does not count as new; that is left to the tests.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    tool = _tool_for(verifier, problem)
    if tool is None:
        return _undecided(verifier, "no tool of the project's can judge this")
    if unread := too_large(candidate):
        return Verdict(verifier=verifier, ruling=Ruling.FAILED, findings=unread)
    theirs = {change.path: change.after for change in candidate.elsewhere}
    own = replace(problem, unsaved={**problem.unsaved, **theirs}) if theirs else problem
    compared = await toolbox.inspector(tool, own).compare(candidate.text)
    if compared.why:
        return _undecided(verifier, f"{tool.name} {compared.trouble}")
    findings = [_finding(tool, remark) for remark in compared.new]
    for change in candidate.elsewhere:
        compared = await toolbox.inspector(tool, _about(change, candidate, own)).compare(change.after)
        # The user does not want files judged that the tool's own configuration excludes.
        if compared.why and compared.why != "excluded":
            return _undecided(verifier, f"for {change.path}, {tool.name} {compared.trouble}")
        findings += [_finding(tool, remark, change.path) for remark in compared.new]
    return Verdict(verifier=verifier, ruling=Ruling.FAILED if findings else Ruling.PASSED, findings=bounded(findings))


async def new_findings(verifier: str, candidate: Candidate, problem: Problem, toolbox: Toolbox) -> tuple[Finding, ...]:
    """Return all new findings of the baseline's tool for `verifier`, without a ruling.

    Raises:
        BrokenWorld: Nothing can be run at all.
        ValueError: There is no such tool, or it cannot read the candidate.
    """
    tool = _tool_for(verifier, problem)
    if tool is None:
        raise ValueError(f"no tool of the project's can judge {verifier}")
    compared = await toolbox.inspector(tool, problem).compare(candidate.text)
    if compared.why:
        raise ValueError(f"{tool.name} {compared.trouble}")
    return tuple(_finding(tool, remark) for remark in compared.new)


def _tool_for(verifier: str, problem: Problem) -> ProjectTool | None:
    return next((TOOLS[name] for name in problem.baseline_run.tools if TOOLS[name].verifier == verifier), None)


def _undecided(verifier: str, message: str) -> Verdict:
    return Verdict(verifier=verifier, ruling=Ruling.UNDECIDED, findings=(Finding(message=message),))


def _about(change: FileChange, candidate: Candidate, problem: Problem) -> Problem:
    """Return the problem for another file that a candidate changes, among its other changes."""
    unsaved = {path: text for path, text in problem.unsaved.items() if path != change.path}
    return replace(
        problem, path=change.path, text=change.before or "", unsaved={**unsaved, problem.path: candidate.text}
    )


def _finding(tool: ProjectTool, remark: Diagnostic, other: str = "") -> Finding:
    """Return a finding with the tool's own message and code, which can be looked up.

    A finding about an `other` file names its line in words, because line numbers refer to the document.
    """
    code = f" [{remark.code}]" if remark.code else ""
    where = f"{other}:{remark.line}: " if other else ""
    return Finding(message=f"{tool.name}: {where}{remark.message}{code}", line=None if other else remark.line)


class LintVerifier:
    """Passes a candidate in which the project's linter finds nothing that the base text did not have."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "lint"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        return await judge_by_tool(self.name, candidate, problem, self._toolbox)


class TypesVerifier:
    """Passes a candidate in which the project's type checker finds no error that the base text did not have."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "types"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        return await judge_by_tool(self.name, candidate, problem, self._toolbox)
