"""Diagnosis of a place: its root, interpreter, tests, sandbox and settings, and the remedies for what is missing."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from certo import __version__
from certo.project.interpreter import find_interpreter
from certo.project.root import ProjectRoot, choose_root
from certo.project.testfiles import find_test_files
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.local import require_interpreter
from certo.sandbox.placement import place_executor
from certo.sandbox.selection import choose, choose_executor
from certo.sandbox.selftest import EscapeAttempt, attempt_all
from certo.sessions.assembly.models import choice_of, connect
from certo.sessions.assembly.parts import PLUGINS, check_names
from certo.sessions.assembly.remedies import Machine, own_remedy, pytest_remedy, sandbox_remedy
from certo.sessions.model_facts import Fact, Health, about_models
from certo.settings.loader import Loaded, read_settings
from certo.settings.schema import Settings
from certo.verification.tools.runner import chosen_tools, own_tools
from certo.verification.tools.toolbox import Toolbox
from certo.verification.tools.verifiers import ToolFailure, nothing_in, try_out
from certo.vocabulary.errors import BadRequest, BadSetting, BrokenWorld, SandboxUnavailable
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The environment of one file or directory; `facts` say all of it in words, in the order to read them.

    `isolation` says how code would be confined. `interpreter` and `isolation` are None where there is none to be had.
    """

    version: str
    root: ProjectRoot
    interpreter: Interpreter | None
    test_files: int
    isolation: str | None
    loaded: Loaded
    facts: tuple[Fact, ...]

    @property
    def usable(self) -> bool:
        """True if a search could run here."""
        return all(fact.health is not Health.BROKEN for fact in self.facts)


async def examine(
    path: Path,
    *,
    environ: Mapping[str, str],
    folders: Sequence[Path] = (),
    client: Mapping[str, Any] | None = None,
) -> Environment:
    """Find out what a search at `path`, a file or a directory, would work with. Nothing of the project is changed.

    Raises:
        BadRequest: there is nothing at `path`, or it is outside the workspace folders.
    """
    root = _root_of(path, folders)
    loaded = read_settings(root.path, client=client, environ=environ, flags=None)
    interpreter, about_interpreter = await _examine_interpreter(root.path, loaded.settings, environ)
    executor, about_sandbox = await _examine_sandbox(loaded.settings)
    test_files = sum(1 for _ in find_test_files(root.path))
    return Environment(
        version=__version__,
        root=root,
        interpreter=interpreter,
        test_files=test_files,
        isolation=None if executor is None else executor.isolation,
        loaded=loaded,
        facts=(
            Fact(subject="root", health=Health.GOOD, says=str(root.path), details=(root.why,)),
            about_interpreter,
            *([_about_pytest(root.path, interpreter)] if interpreter is not None else []),
            _about_tests(test_files),
            *await _about_tools(root.path, loaded.settings, executor, interpreter),
            *[fact async for fact in _about_checks(root.path, loaded.settings, executor, interpreter)],
            about_sandbox,
            *await about_models(
                choice_of(loaded.settings), connect(environ), needed=loaded.settings.search.generator == "model"
            ),
            *_about_settings(loaded),
            *_about_plugins(),
            Fact(subject="certo", health=Health.GOOD, says=f"{__version__} on Python {_dotted(sys.version_info[:3])}"),
        ),
    )


def _root_of(path: Path, folders: Sequence[Path]) -> ProjectRoot:
    if not path.exists():
        raise BadRequest(f"there is no file or directory {path}; name one of the project's")
    return choose_root(path / "any.py" if path.is_dir() else path, folders)


async def _examine_interpreter(
    root: Path, settings: Settings, environ: Mapping[str, str]
) -> tuple[Interpreter | None, Fact]:
    try:
        found = await find_interpreter(root, chosen=settings.interpreter, environ=environ)
        require_interpreter(found, root)
    except BrokenWorld as error:
        return None, Fact(subject="interpreter", health=Health.BROKEN, says=str(error))
    says = f"Python {_dotted(found.version)}, {found.executable}"
    details = (found.why, *(f"not taken: {reason}" for reason in found.tried))
    return found, Fact(subject="interpreter", health=Health.GOOD, says=says, details=details)


def _about_pytest(root: Path, interpreter: Interpreter) -> Fact:
    if interpreter.pytest is not None:
        return Fact(subject="pytest", health=Health.GOOD, says=interpreter.pytest)
    return Fact(
        subject="pytest",
        health=Health.LACKING,
        says="the interpreter cannot import it: only doctests can be run",
        remedy=pytest_remedy(root, interpreter),
    )


def _about_tests(test_files: int) -> Fact:
    if test_files:
        noun = "test file" if test_files == 1 else "test files"
        return Fact(subject="tests", health=Health.GOOD, says=f"{test_files} {noun}")
    return Fact(
        subject="tests",
        health=Health.LACKING,
        says="no test files: without a doctest, what certo writes will be marked not verified",
        remedy="write a test in tests/test_NAME.py, or an example in the function's docstring",
    )


async def _about_tools(
    root: Path, settings: Settings, executor: Executor | None, interpreter: Interpreter | None
) -> list[Fact]:
    """Return facts about the type checker and the linter, each tried out: a configured tool may not be installed."""
    own = own_tools()
    chosen = {tool.verifier: tool for tool in chosen_tools(root, "any.py", settings.verify, own)}
    facts = []
    if "types" not in chosen:
        facts.append(_about_no_types(settings))
    for subject, tool in chosen.items():
        does = f"checked by {tool.name}" if subject == "types" else f"judged by {tool.name}"
        if executor is None or interpreter is None:
            facts.append(Fact(subject=subject, health=Health.LACKING, says=f"{does}, which cannot be tried out here"))
            continue
        toolbox = Toolbox(executor=executor, interpreter=interpreter, options=settings.verify, own=own)
        trouble = await try_out(tool, toolbox, root)
        facts.append(_about_tool(subject, does, trouble, is_named=tool.is_named(settings.verify)))
    return facts


def _about_tool(subject: str, does: str, trouble: ToolFailure | None, *, is_named: bool) -> Fact:
    if trouble is None:
        return Fact(subject=subject, health=Health.GOOD, says=does)
    if is_named:
        return Fact(subject=subject, health=Health.BROKEN, says=trouble.insisting)
    return Fact(subject=subject, health=Health.LACKING, says=trouble.left_out, remedy=trouble.mending)


async def _about_checks(
    root: Path, settings: Settings, executor: Executor | None, interpreter: Interpreter | None
) -> AsyncIterator[Fact]:
    """Yield for each of the user's own checks whether it is there and can be called, as a search would find it."""
    for check in settings.verify.custom:
        if executor is None or interpreter is None:
            yield Fact(subject="check", health=Health.LACKING, says=f"{check}, which cannot be tried out here")
            continue
        options = replace(settings.verify, custom=(check,))
        verifier = Toolbox(executor=executor, interpreter=interpreter, options=options).custom()
        try:
            await verifier.find(nothing_in(root))
        except (BadSetting, BrokenWorld) as error:
            yield Fact(subject="check", health=Health.BROKEN, says=str(error))
        else:
            yield Fact(subject="check", health=Health.GOOD, says=f"{check} can be called")


def _about_no_types(settings: Settings) -> Fact:
    if settings.verify.types == "off":
        return Fact(subject="types", health=Health.GOOD, says="not checked: verify.types is off")
    return Fact(
        subject="types",
        health=Health.LACKING,
        says="not checked: the project configures no type checker, and certo has none of its own",
        remedy=own_remedy("tools"),
    )


async def _examine_sandbox(settings: Settings) -> tuple[Executor | None, Fact]:
    if settings.executor.cluster is not None or settings.executor.plugin:
        return await _examine_elsewhere(settings)
    try:
        choice = await choose(settings.sandbox)
    except (BrokenWorld, BadSetting) as error:
        return None, Fact(
            subject="sandbox", health=Health.BROKEN, says=str(error), remedy=sandbox_remedy("", Machine())
        )
    says = choice.executor.isolation
    held = [f"{choice.withstood} attacks were tried on it and came to nothing"] if choice.withstood else []
    if settings.sandbox.isolation == "process":
        details = ("the setting sandbox.isolation asks for no more", *choice.passed_over, *held)
        return choice.executor, Fact(subject="sandbox", health=Health.LACKING, says=says, details=details)
    return choice.executor, Fact(
        subject="sandbox",
        health=Health.LACKING if choice.passed_over else Health.GOOD,
        says=says,
        details=(*choice.passed_over, *held),
        remedy=sandbox_remedy(says, Machine()) if choice.passed_over else "",
    )


async def _examine_elsewhere(settings: Settings) -> tuple[Executor | None, Fact]:
    """Find out how runs are confined by a cluster or a plug-in; what is wrong there is not mended on this machine."""
    try:
        executor = await place_executor(settings.sandbox, settings.executor)
    except (BrokenWorld, BadSetting) as error:
        return None, Fact(subject="sandbox", health=Health.BROKEN, says=str(error))
    return executor, Fact(subject="sandbox", health=Health.GOOD, says=executor.isolation)


async def self_test(found: Environment, home: Path) -> tuple[EscapeAttempt, ...]:
    """Let a program in the sandbox that was found try to break out; nothing is tried where there is none.

    Raises:
        BrokenWorld: it could not be run.
    """
    if found.interpreter is None or found.isolation is None:
        return ()
    if found.loaded.settings.executor.cluster is not None:
        # What it is to attack is here, and it would run elsewhere: that it reached nothing would say nothing.
        raise SandboxUnavailable("the self-test tries the sandbox of one machine; run it on the workers' own")
    executor = await choose_executor(found.loaded.settings.sandbox)
    interpreter = found.interpreter
    if interpreter.environment is not None:
        # It may lie in the project, which is not what is shown to the self-test.
        interpreter = replace(interpreter, readable=(*interpreter.readable, interpreter.environment))
    return await attempt_all(executor, interpreter, home)


def _about_settings(loaded: Loaded) -> Iterator[Fact]:
    """Yield a fact about the settings in force besides the defaults, then one about every problem with them."""
    in_force = tuple(
        f"{name} = {_value_of(loaded.settings, name)!r} ({origin})" for name, origin in loaded.origins.items()
    )
    count = len(in_force)
    says = f"{count} set, the rest by default" if count else "all by default"
    yield Fact(subject="settings", health=Health.GOOD, says=says, details=in_force)
    problems = list(loaded.problems)
    try:
        check_names(loaded.settings)
    except BadSetting as error:
        problems.append(str(error))
    for problem in problems:
        yield Fact(subject="setting", health=Health.BROKEN, says=problem)


def _about_plugins() -> Iterator[Fact]:
    """Yield a fact about the plug-ins of installed packages, then one about each that cannot be loaded."""
    brought = [(registry.kind, each) for registry in PLUGINS for each in registry.brought()]
    sound = tuple(f"{kind} {each.name} ({each.place})" for kind, each in brought if not each.failure)
    if sound:
        says = f"{len(sound)} that can be loaded"
        yield Fact(subject="plug-ins", health=Health.GOOD, says=says, details=sound)
    for _, each in brought:
        if each.failure:
            remedy = f"mend or remove the package that brings {each.place}"
            yield Fact(subject="plug-in", health=Health.LACKING, says=each.failure, remedy=remedy)


def _value_of(settings: Settings, dotted: str) -> Any:
    value: Any = settings
    for name in dotted.split("."):
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return value


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
