"""From a request to a stated problem: target, interpreter, examples, and how the tests stand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from anyio.abc import TaskGroup

from certo.concurrency import side_by_side
from certo.edits.examples import written_examples
from certo.edits.source import parse_source
from certo.edits.target import ByName, accessors_beside, examples, find_target, with_second
from certo.generation.generator import ProblemPreview
from certo.project.ignored_files import MAX_ITEMS, ignored_files, ignored_paths, too_many
from certo.project.interpreter import find_interpreter
from certo.project.interpreter_candidates import other_environments
from certo.project.root import find_root
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.placement import BackgroundExecutor, place_executor
from certo.sandbox.trace import traced
from certo.sandbox.warm.long_wait import long_waits_told
from certo.sessions.assembly.parts import check_names
from certo.sessions.assembly.pinned_tests import pinned_in
from certo.sessions.assembly.request import Request, require_purpose, second_of, unsaved_within
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.verification.baseline_cache import BaselineCache, find_baseline
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import FreshHarnesses
from certo.verification.dynamic.test_map import KnownTests
from certo.verification.dynamic.warm_pool import WarmPool, project_key
from certo.verification.earlier_failures import without_earlier_failures
from certo.verification.file_rules import changeable_files
from certo.verification.options import TestOptions, ToolOptions
from certo.verification.tools.runner import own_tools
from certo.verification.tools.toolbox import Toolbox, warm_toolbox
from certo.verification.tools.verifiers import with_tools
from certo.verification.verdict_cache import VerdictCache
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadRequest, BrokenWorld
from certo.vocabulary.guidance import GIVEN, Guidance
from certo.vocabulary.problem import Baseline, BaselineRun, Goal, Problem, Target
from certo.vocabulary.progress import unheard
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRequest:
    """A request, resolved by reading only: its root, path and target, and the settings in force there."""

    request: Request
    root: Path
    path: str
    target: Target
    settings: Settings

    @property
    def budget(self) -> Budget:
        """The budget of its search: all of the settings' budget, or a share of it if there are several suspects.

        Two functions together share what the searches in one function have left.
        """
        later = [each for each in self.request.then if each.second is None or self.request.second is not None]
        return self.settings.search.budget.share_for(self.request.spent_before, len(later))

    @property
    def allotted(self) -> Settings:
        """The settings with the seconds that its search may take."""
        seconds = self.budget.seconds
        if seconds == self.settings.search.seconds:
            return self.settings
        return replace(self.settings, search=replace(self.settings.search, seconds=seconds))

    @property
    def preview(self) -> ProblemPreview:
        """The part of the problem that is known already."""
        return ProblemPreview(
            root=self.root, path=self.path, text=self.request.text, target=self.target, unsaved=self.unsaved
        )

    @property
    def unsaved(self) -> dict[str, str]:
        """The other documents' unsaved texts by path relative to the root; those outside it cannot matter."""
        return unsaved_within(self.root, self.request)


class ProjectMemory(BaselineCache, VerdictCache, Protocol):
    """Store of baselines, and of verdicts on the text as it is."""

    def pinned(self) -> Mapping[str, str]:
        """Return a line about each test that certo wrote, by what pytest calls it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionContext:
    """The executor and interpreter of a problem's code; `environ` are the variables by which the user's git is found.

    What is prepared for its tests is `kept` for candidates, in a search. What earlier runs have shown of the project's
    own text is in its `memory` and in the map of `known_tests`, if there are any.
    """

    executor: Executor
    interpreter: Interpreter
    environ: Mapping[str, str] = field(default_factory=dict)
    kept: WarmPool | None = None
    memory: ProjectMemory | None = None
    known_tests: KnownTests | None = None

    @property
    def standing_executor(self) -> Executor:
        """The executor whose standing runs may begin in workers that an earlier search has left."""
        return self.executor if self.kept is None else self.kept.reserve.over(self.executor)

    def harnesses(self, options: TestOptions) -> FreshHarnesses:
        """Return the source of harnesses in which tests run here, each time in a fresh process."""
        return FreshHarnesses(
            executor=self.executor,
            interpreter=self.interpreter,
            options=options,
            pool=self.kept,
            known_tests=self.known_tests,
        )

    def toolbox(self, options: ToolOptions) -> Toolbox:
        """Return the project's own tools that run here, none of them kept ready."""
        return Toolbox(executor=self.executor, interpreter=self.interpreter, options=options, own=own_tools())

    def project_key(self, resolved: ResolvedRequest, *, background: bool) -> Hashable:
        """Return the key of the processes that are kept for a request's project."""
        return project_key(resolved.root, self.executor, self.interpreter, background=background)

    def in_background(self) -> ExecutionContext:
        """Return the same context in the background: its runs let others go first."""
        return replace(self, executor=BackgroundExecutor(self.executor))

    def warm(self, group: TaskGroup) -> ExecutionContext:
        """Return the same context with warm processes, which live in `group`."""
        return replace(self, kept=WarmPool(group))


def resolve_request(request: Request, environ: Mapping[str, str]) -> ResolvedRequest:
    """Find the root, the settings and the target of a request, by reading only.

    Raises:
        BadRequest: the document is outside the workspace, no Python text, or has no such target; or a setting is bad.
    """
    root = find_root(request.document, request.folders)
    settings = load_settings(root, client=request.client, environ=environ, flags=request.flags)
    check_names(settings)
    path = request.document.relative_to(root).as_posix()
    parse_source(request.text, path)
    target = find_target(request.text, request.place, path=path)
    if request.second is not None:
        target = with_second(target, path, second_of(request, root))
    require_purpose(request, target)
    return ResolvedRequest(request=request, root=root, path=path, target=target, settings=settings)


async def find_execution_context(resolved: ResolvedRequest, environ: Mapping[str, str]) -> ExecutionContext:
    """Find the executor and the interpreter for a request.

    Raises:
        BrokenWorld: there is no interpreter to run the tests with, or no way to confine it as the settings demand.
    """
    found: list[Interpreter | BrokenWorld] = []

    async def look_for_interpreter() -> None:
        try:
            found.append(await find_interpreter(resolved.root, chosen=resolved.settings.interpreter, environ=environ))
        except BrokenWorld as error:
            # Kept out of the group, which would hand it on wrapped.
            found.append(error)

    # The first time the sandbox is put to the test, which takes as long as asking an interpreter about itself.
    async with side_by_side() as group:
        group.start_soon(look_for_interpreter)
        try:
            executor: Executor | BrokenWorld = await place_executor(
                resolved.settings.sandbox, resolved.settings.executor, editor=resolved.request.editor
            )
        except BrokenWorld as error:
            executor = error
    [interpreter] = found
    if isinstance(executor, BrokenWorld):
        raise executor
    if isinstance(interpreter, BrokenWorld):
        raise interpreter
    return ExecutionContext(executor=traced(executor), interpreter=interpreter, environ=environ)


async def restate_problem(resolved: ResolvedRequest, context: ExecutionContext) -> Problem:
    """State the problem of a request from an earlier process as things stand now; raises what `state_problem` does."""
    problem = await state_problem(resolved, context, unheard)
    async with warm_toolbox(context.toolbox(resolved.settings.verify), problem) as toolbox:
        return await with_tools(problem, toolbox, unheard)


_RUNNING = ("running the tests that reach it", "running all tests of the project")
_PREPARING = "waiting for pytest to import conftest.py and its plug-ins, once for all runs"


async def state_problem(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    to_repair: bool = False,
    begun: Callable[[Harness], object] | None = None,
) -> Problem:
    """State the problem: run the tests that reach the target on the text as it is, and decide what is asked.

    Where candidates may change other files, all tests are run. A repair (`to_repair`) doubts that all is green.
    `begun` is called when the tests begin in a prepared process.
    """
    others = await _other_files(resolved, context)
    guidance = with_written(resolved.request.guidance, resolved.target)
    say(running := _RUNNING[others is not None])
    harness = Harness(
        root=resolved.root,
        path=resolved.path,
        base=resolved.request.text,
        target=resolved.target,
        unsaved=resolved.unsaved,
        interpreter=context.interpreter,
        executor=context.executor,
        options=resolved.settings.tests,
        user_examples=guidance.examples,
        extra_files=tuple(filter(None, [resolved.request.test.partition("::")[0]])),
        whole_suite=others is not None,
    )
    asks = replace(_baseline_request(resolved, context, to_repair=to_repair), begun=begun)
    baseline, run = Baseline(policy=context.executor.policies[0].value), BaselineRun()
    unseen: list[str] = []
    ignored: tuple[str, ...] = ()
    if not _has_nothing_to_run(resolved, harness):
        ignored = await hidden_from_runs(resolved, context, unseen.append)
        with long_waits_told(partial(say, _PREPARING), partial(say, running)):
            baseline, run = await find_baseline(replace(harness, hidden=ignored[:MAX_ITEMS]), asks, context.memory)
            baseline = await without_earlier_failures(harness, baseline, run, asks, context.environ)
    about = [_about_accessors(resolved), _about_environments(resolved, context), too_many(ignored), *unseen]
    baseline = replace(baseline, problems=(*baseline.problems, *filter(None, about)))
    return Problem(
        root=resolved.root,
        path=resolved.path,
        text=resolved.request.text,
        target=resolved.target,
        goal=_goal(resolved, baseline),
        instruction=resolved.request.instruction,
        examples=examples(resolved.target, resolved.request.text),
        baseline=baseline,
        baseline_run=run,
        unsaved=resolved.unsaved,
        guidance=guidance,
        selected=_selected(resolved),
        others=others,
        ignored=await ignored_paths(resolved.root, context.environ),
        preserves=_preserves(resolved, baseline),
        tests_first=resolved.request.tests_first and not resolved.target.is_hole,
        pinned=pinned_in(resolved.preview, resolved.settings, baseline, context.memory),
    )


async def _other_files(resolved: ResolvedRequest, context: ExecutionContext) -> frozenset[str] | None:
    """Return the other files that candidates may change; None if they may change none."""
    second, files = resolved.target.second, resolved.settings.search.scope == "files"
    if not files and (second is None or second.path == resolved.path):
        return None
    changeable = await changeable_files(resolved.root, context.environ) - {resolved.path}
    return changeable & {second.path} if second is not None else changeable


async def hidden_from_runs(
    resolved: ResolvedRequest, context: ExecutionContext, say: Callable[[str], None]
) -> tuple[str, ...]:
    """Return the paths that git ignores and runs do not see at first; `say` is told what cannot be found out."""
    return await ignored_files(resolved.root, context.environ, _kept(resolved, context), say)


def _baseline_request(resolved: ResolvedRequest, context: ExecutionContext, *, to_repair: bool) -> BaselineRequest:
    asked = resolved.request.instruction or resolved.request.guidance.prose
    return BaselineRequest(
        required_test=resolved.request.test,
        recheck_green=to_repair and not asked,
        warm=context.kept,
        known_tests=context.known_tests,
        reuse=to_repair,
    )


def _has_nothing_to_run(resolved: ResolvedRequest, harness: Harness) -> bool:
    """True if there is neither an example nor a test, as the project's maker says, and the settings name no test."""
    named = harness.user_examples or harness.extra_files or harness.options.paths or harness.whole_suite
    return resolved.request.is_untested and not named and not examples(resolved.target, resolved.request.text)


def _about_accessors(resolved: ResolvedRequest) -> str:
    """Return a message if a property was named, whose getter was taken; the lines name the others."""
    if not isinstance(resolved.request.place, ByName) or resolved.request.place.number is not None:
        return ""
    others = accessors_beside(resolved.target, resolved.request.text)
    if not others:
        return ""
    named = " or ".join(f"{resolved.path}:{each.line}" for each in others)
    return (
        f"{resolved.target.qualname} is a property, so its getter is meant; for another of its functions name {named}"
    )


def _about_environments(resolved: ResolvedRequest, context: ExecutionContext) -> str:
    """Return a message if the project has several environments, and no setting chose the one that is used."""
    others = other_environments(resolved.root, context.interpreter.executable)
    if resolved.settings.interpreter or not others:
        return ""
    used = context.interpreter.executable
    return (
        f"runs use {used} ({context.interpreter.why}), not {' or '.join(others)}; or choose: --interpreter {others[0]}"
    )


def _kept(resolved: ResolvedRequest, context: ExecutionContext) -> Iterator[Path]:
    """Yield the paths that runs see although git ignores them: those that were named, and the environment."""
    named = (resolved.path, resolved.request.test, *resolved.settings.tests.paths)
    yield from (resolved.root / name.partition("::")[0] for name in named if name)
    yield context.interpreter.executable.parent.parent


def with_written(guidance: Guidance, target: Target) -> Guidance:
    """Return the guidance, with the examples that the docstring of a hole writes out, as if the user had given them."""
    if not target.is_hole:
        return guidance
    known = {(one.source, one.expected) for one in guidance.examples}
    fresh = [one for one in written_examples(target) if (one.source, one.expected) not in known]
    numbered = [replace(one, id=f"{GIVEN}{number}") for number, one in enumerate(fresh, len(known) + 1)]
    return replace(guidance, examples=(*guidance.examples, *numbered))


def _selected(resolved: ResolvedRequest) -> Span | None:
    """Return the part of the target that the user has selected, without the blanks around it."""
    selected, span = resolved.request.selected, resolved.target.span
    if selected is None:
        return None
    start, end = max(selected.start, span.start), min(selected.end, span.end)
    shown = resolved.request.text[start:end]
    start += len(shown) - len(shown.lstrip())
    return Span(start, start + len(shown.strip())) if shown.strip() else None


def _require_working(target: Target, baseline: Baseline) -> None:
    """Refuse to make faster what does not work yet.

    Raises:
        BadRequest: it is a stub, or one of its tests fails.
    """
    if target.is_hole:
        raise BadRequest(f"{target.short_name} is not written yet; implement it before it is made faster")
    if baseline.failing:
        test = baseline.failing[0].id
        raise BadRequest(f"{test} fails; repair {target.short_name} before it is made faster")


def _goal(resolved: ResolvedRequest, baseline: Baseline) -> Goal:
    """Return the goal: a hole is implemented, failing tests are repaired, and only green code is rewritten as asked."""
    if resolved.request.goal == "faster":
        _require_working(resolved.target, baseline)
        return Goal.FASTER
    if resolved.target.is_hole:
        return Goal.IMPLEMENT
    if baseline.failing or not (resolved.request.instruction or resolved.request.guidance.prose):
        return Goal.REPAIR
    return Goal.REWRITE


def _preserves(resolved: ResolvedRequest, baseline: Baseline) -> bool:
    """Return True if candidates must keep the behaviour of the text.

    Raises:
        BadRequest: they cannot, because one of its tests fails.
    """
    if resolved.request.preserve and baseline.failing:
        test, name = baseline.failing[0].id, resolved.target.short_name
        raise BadRequest(f"{test} fails, so the behaviour of {name} cannot be kept; repair it before it is rewritten")
    return resolved.request.preserve or resolved.request.goal == "faster"
