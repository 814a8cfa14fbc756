"""Running generated code: each call in a process of its own, confined, with nothing of ours in its environment."""

from __future__ import annotations

import inspect
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Protocol

from pydantic_core import to_jsonable_python

from certo.guests import CALLS_HOME
from certo.sandbox.executor import Ending, Executor, Finished, Interpreter, Limits, Message, Program, Work
from certo.vocabulary.errors import CertoError
from certo.vocabulary.records import dataclass

PROGRAM = Program(home=CALLS_HOME, module="certo_calls.call")

MODULE = "wanted"
"""The module that generated code is."""

TOOLS = "tools"
"""The module that generated code gets its tools from."""

_MAX_CALLS = 64
"""How many calls to outside one call of generated code may make."""

Outside = Mapping[str, Callable[..., Any]]
"""The tools that stay with the caller, by name; each takes its arguments by name, and may be a coroutine function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Generated code that can be called: the module's text, the function in it, and the text of its tools' module."""

    text: str
    function: str
    tools: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideCall:
    """One call of a tool that stays with the caller: its arguments and what it gave, or the words of its failure."""

    tool: str
    arguments: Mapping[str, Any]
    value: Any = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """The result of one call of generated code; true only if it returned.

    `error` is empty when it returned, and `output` is then plain data. `error_lines` are those lines of the code that
    were on the way to the error, the outermost first. `seconds` is the wall time of all it took; `calls` what it had
    done outside. `cold` says why a process that was kept ready was not used, where one was to be.
    """

    output: Any = None
    stdout: str = ""
    error: str = ""
    error_lines: tuple[int, ...] = ()
    seconds: float = 0.0
    calls: tuple[OutsideCall, ...] = ()
    cold: str = ""

    def __bool__(self) -> bool:
        return not self.error


class CodeExecutor(Protocol):
    """Calls generated code. Code that fails is an Executed with an error, never an exception."""

    async def execute(self, code: Code, inputs: Mapping[str, Any], /, *, outside: Outside | None = None) -> Executed:
        """Call the code's function with `inputs`, which are plain data, by name.

        Raises:
            BrokenWorld: nothing can be run here.
        """
        ...


@dataclass(slots=True)
class _CallReplies:
    """The messages of a run before its end; code that is run is not trusted, and may say anything."""

    said: list[Message] = field(default_factory=list)

    def hear(self, message: Message) -> None:
        self.said.append(message)

    def first(self, kind: str) -> Message | None:
        return next((message for message in self.said if message.get("kind") == kind), None)


class SandboxedCode:
    """Calls generated code on one of certo's executors, each time in a fresh process.

    Nothing of one call is left for the next. The process has none of the caller's environment, no network and no
    files but a temporary folder, and is killed when its limits are reached, whatever it is doing then.
    """

    def __init__(self, executor: Executor, interpreter: Interpreter, limits: Limits | None = None) -> None:
        """Run on `executor` under `interpreter`; 10 s of processor time and 512 MiB a run unless there are `limits`."""
        self._executor = executor
        self._interpreter = interpreter
        self._limits = limits or Limits.within(10.0, memory_mebibytes=512)
        self._root: Path | None = None

    @property
    def isolation(self) -> str:
        """The confinement of the code, in words."""
        return self._executor.isolation

    async def execute(self, code: Code, inputs: Mapping[str, Any], /, *, outside: Outside | None = None) -> Executed:
        """Call the code's function; see `CodeExecutor`.

        A program in the sandbox has no way in while it runs. So a call to outside ends the run, is made here, and the
        code runs once more from its beginning with all the answers there are; it must do the same again until then.
        """
        began = time.monotonic()
        tools = outside or {}
        calls: list[OutsideCall] = []
        while True:
            heard = _CallReplies()
            finished = await self._run(code, inputs, tools, calls, heard)
            wanted = heard.first("call")
            # What the code says it calls may be anything, and so is looked for among the names one by one.
            if wanted is None or len(calls) == _MAX_CALLS or wanted.get("tool") not in list(tools):
                return _executed(heard, finished, tuple(calls), time.monotonic() - began)
            calls.append(await _called(tools, wanted["tool"], wanted.get("arguments")))

    @asynccontextmanager
    async def kept_ready(self) -> AsyncIterator[SandboxedCode]:
        """Yield the same with a process kept ready: each call within the block gets a copy of it, which is quicker."""
        with tempfile.TemporaryDirectory(prefix="certo-call-") as empty:
            async with self._executor.warmed(self._work({}, Path(empty), warm=True)) as warm:
                ready = SandboxedCode(warm, self._interpreter, self._limits)
                ready._root = Path(empty)
                yield ready

    def _work(self, request: Mapping[str, Any], root: Path, *, warm: bool) -> Work:
        return Work(
            program=PROGRAM,
            request=request,
            interpreter=self._interpreter,
            root=root,
            limits=self._limits,
            preparation={} if warm else None,
        )

    async def _run(
        self, code: Code, inputs: Mapping[str, Any], tools: Outside, calls: list[OutsideCall], heard: _CallReplies
    ) -> Finished:
        answers = [
            {"tool": call.tool, "arguments": call.arguments, "value": call.value, "error": call.error} for call in calls
        ]
        request = {
            "code": code.text,
            "module": MODULE,
            "function": code.function,
            "inputs": dict(inputs),
            "tools": code.tools,
            "tools_module": TOOLS,
            "outside": sorted(tools),
            "answers": answers,
        }
        if self._root is not None:
            return await self._executor.run(self._work(request, self._root, warm=True), heard.hear)
        with tempfile.TemporaryDirectory(prefix="certo-call-") as empty:
            return await self._executor.run(self._work(request, Path(empty), warm=False), heard.hear)


async def _called(tools: Outside, name: str, arguments: Any) -> OutsideCall:
    """Make one call of a tool here; what it raises is told to the code that called it."""
    given = arguments if isinstance(arguments, dict) else {}
    try:
        value = tools[name](**given)
        if inspect.isawaitable(value):
            value = await value
        return OutsideCall(tool=name, arguments=given, value=to_jsonable_python(value))
    except CertoError:
        raise
    except Exception as error:  # noqa: BLE001 - the tool's own failure, which is the code's to deal with
        return OutsideCall(tool=name, arguments=given, error=f"{type(error).__name__}: {error}")


def _executed(heard: _CallReplies, finished: Finished, calls: tuple[OutsideCall, ...], seconds: float) -> Executed:
    """Put together what a run said and how it ended; the last word is its end's."""
    ran = Executed(seconds=round(seconds, 4), calls=calls, cold=finished.cold)
    said = heard.first("output") or heard.first("error")
    stdout = str(said.get("stdout", "")) if said else finished.printed
    if finished.ending is not Ending.EXITED:
        return replace(ran, stdout=stdout, error=f"the code {finished.words}")
    if said is None:
        return replace(ran, stdout=stdout, error=_unsaid(heard, finished))
    if said["kind"] == "output":
        return replace(ran, stdout=stdout, output=said.get("output"))
    lines = said.get("lines")
    numbers = tuple(line for line in lines if isinstance(line, int)) if isinstance(lines, list) else ()
    return replace(ran, stdout=stdout, error=str(said.get("error")) or "it failed", error_lines=numbers)


def _unsaid(heard: _CallReplies, finished: Finished) -> str:
    if strayed := heard.first("strayed"):
        return (
            f"the code called {strayed.get('tool')} where it had called {strayed.get('before')} before, with other "
            "arguments or in another order; what it calls outside may not depend on time or chance"
        )
    if wanted := heard.first("call"):
        return f"the code called {wanted.get('tool')} outside, which is not allowed, or more than {_MAX_CALLS} calls"
    last = finished.printed.strip().splitlines()[-1:]
    return ": ".join(["the code ended without an answer", *last])
