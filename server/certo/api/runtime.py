"""The runtime: what searches and calls from Python have in common, and the ways to ask for code."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

import anyio

from certo.api.cache import CodeCache, key_of
from certo.api.context_log import ContextLog
from certo.api.contextual_model import as_model
from certo.api.execution import CodeExecutor, SandboxedCode
from certo.api.generated import Built, FallBack, Generated
from certo.api.given_settings import with_whole_places
from certo.api.model_context import ModelContext, Opening, in_force, opening, working
from certo.api.parts import require_callable, require_kind
from certo.api.search import ApiRequest, search_for
from certo.api.specification import Specification
from certo.api.strategy import Strategy, merged
from certo.api.tracing import Span, Trace
from certo.llm.model import ChatModel
from certo.project.interpreter import find_interpreter
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.placement import place_executor
from certo.sessions.live import LiveSearch
from certo.settings.loader import load_settings
from certo.vocabulary.events import Event
from certo.vocabulary.records import dataclass


@dataclass(kw_only=True)
class Runtime:
    """The runtime that searches and calls share.

    `llm`, a model or its name, "" for the default one of the settings, writes code where neither the call nor the
    specification says what does; without any, certo's built-in search does, which needs examples or tests. `strategy`
    is laid under those of the specification and of the call. `executor` calls generated code, in certo's own sandbox
    when not given. `cache` keeps what `build` has come to, and None keeps nothing. `settings` are certo's own by their
    dotted names, such as {"tests.seconds": 5}; a file in one, as in "greedy.py:Greedy", is relative to the working
    directory. `log` takes what is said to language models and by them, `trace` what took how long, and `listener` every
    event of every search.

    Within `async with runtime:`, the functions of `certo` use this one, and all that is asked shares its connections.
    `with runtime:` is for programs that are not asynchronous, where each call opens connections of its own.
    """

    llm: ChatModel | str | None = None
    strategy: Strategy | None = None
    executor: CodeExecutor | None = None
    cache: CodeCache | None = field(default_factory=CodeCache)
    settings: Mapping[str, Any] = field(default_factory=dict)
    log: ContextLog | None = None
    trace: Trace | None = None
    listener: Callable[[LiveSearch, Event], None] | None = None
    _entered: list[AbstractContextManager[None]] = field(default_factory=list, init=False, repr=False)
    _working: list[AbstractAsyncContextManager[ModelContext]] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        require_callable("Runtime", llm=self.llm, executor=self.executor, listener=self.listener)
        require_kind("Runtime.strategy", self.strategy, Strategy | None, "give a Strategy")
        require_kind("Runtime.cache", self.cache, CodeCache | None, "give a CodeCache, or None")
        require_kind("Runtime.settings", self.settings, Mapping, 'give them by name, as {"tests.seconds": 5}')

    def __enter__(self) -> Runtime:
        self._entered.append(self._in_force())
        self._entered[-1].__enter__()
        return self

    def __exit__(self, *why: Any) -> None:
        self._entered.pop().__exit__(*why)

    async def __aenter__(self) -> Runtime:
        self.__enter__()
        self._working.append(working())
        await self._working[-1].__aenter__()
        return self

    async def __aexit__(self, *why: Any) -> None:
        try:
            await self._working.pop().__aexit__(*why)
        finally:
            self.__exit__(*why)

    async def generate(
        self, wanted: Specification, *, strategy: Strategy | None = None, llm: ChatModel | str | None = None
    ) -> Generated:
        """Write the function that is wanted, and return every candidate that passed, the best first.

        Raises:
            AttemptsFailed: no candidate passed; it has every one that was tried.
            BadRequest: a setting, or something that was given to judge or to write, is not as it should be.
            BrokenWorld: nothing can be run here, or the model did not answer.
        """
        wish = self._wish(wanted, strategy, llm)
        async with self._at_work("generate", wanted):
            return await search_for(wish, self._hear)

    async def build(
        self,
        wanted: Specification,
        *,
        strategy: Strategy | None = None,
        llm: ChatModel | str | None = None,
        fall_back: FallBack = "untouched",
    ) -> Built:
        """Write the function that is wanted, or take it from the cache, and return it ready to be called.

        The cache goes by all that decides what comes of it: the specification, the model, the strategy, the prompts
        and certo's version. What cannot be named, such as a function without source, is not kept. Raises as `generate`.
        """
        wish = self._wish(wanted, strategy, llm)
        key = key_of(wish) if self.cache is not None else None
        generated = self.cache.get(key) if self.cache is not None and key is not None else None
        async with self._at_work("build", wanted) as span:
            if generated is None:
                generated = await search_for(wish, self._hear)
                if self.cache is not None and key is not None:
                    self.cache.put(key, generated)
            if span is not None:
                span.attributes |= {"cache.hit": generated.cached, "passed": len(generated.passed)}
        return await self._built(wanted, generated, fall_back)

    async def run(
        self,
        wanted: Specification,
        inputs: Mapping[str, Any],
        *,
        strategy: Strategy | None = None,
        llm: ChatModel | str | None = None,
        fall_back: FallBack = "untouched",
    ) -> Any:
        """Write the function that is wanted and call it once; the result is of the specified type, or there is none.

        Raises as `generate` and the built function do.
        """
        _require_specification(wanted)
        async with self._at_work("run", wanted):
            wanted.checked_inputs(inputs)
            generated = await self.generate(wanted, strategy=strategy, llm=llm)
            built = await self._built(wanted, generated, fall_back)
            return await built(**inputs)

    @contextmanager
    def _in_force(self) -> Iterator[None]:
        """Make this the runtime that the functions of `certo` use."""
        token = in_force.set(self)
        try:
            with opening(Opening(settings=self._settings, log=self.log, trace=self.trace)):
                yield
        finally:
            in_force.reset(token)

    @asynccontextmanager
    async def _at_work(self, name: str, wanted: Specification) -> AsyncIterator[Span | None]:
        """Work on something with this runtime in force; the span that measures it, if anything does."""
        with nullcontext() if in_force.get() is self else self._in_force():
            async with working():
                if self.trace is None:
                    yield None
                    return
                with self.trace.span(name, specification=wanted.name) as span:
                    yield span

    async def _built(self, wanted: Specification, generated: Generated, fall_back: FallBack) -> Built:
        executor = self.executor or SandboxedCode(*await self.place())
        return Built(
            specification=wanted, generated=generated, executor=executor, fall_back=fall_back, trace=self.trace
        )

    def _wish(self, wanted: Specification, strategy: Strategy | None, llm: ChatModel | str | None) -> ApiRequest:
        _require_specification(wanted)
        require_kind("strategy", strategy, Strategy | None, "give a Strategy")
        require_callable(wanted.name, llm=llm)
        return ApiRequest(
            wanted=wanted,
            strategy=merged(Strategy, strategy, wanted.strategy, self.strategy),
            model=as_model(next((each for each in (llm, wanted.llm, self.llm) if each is not None), None)),
            settings={"interpreter": sys.executable, **self._settings},
            environ=os.environ,
        )

    def _hear(self, live: LiveSearch, event: Event) -> None:
        if self.trace is not None:
            self.trace.hear(live, event)
        if self.listener is not None:
            self.listener(live, event)

    @property
    def _settings(self) -> Mapping[str, Any]:
        """The settings, with the whole paths of files named in them."""
        return with_whole_places(self.settings, Path.cwd())

    async def place(self) -> tuple[Executor, Interpreter]:
        """Find the executor for untrusted code, certo's own sandbox or a cluster, and the Python it runs under.

        Raises:
            BrokenWorld: nothing can be run here.
        """
        flags = {"interpreter": sys.executable, **self._settings}
        settings = load_settings(Path(os.devnull), client=None, environ=os.environ, flags=flags)
        executor = await place_executor(settings.sandbox, settings.executor)
        chosen = settings.interpreter or sys.executable
        here = Path.cwd() / chosen
        # The code runs in an empty directory, so what it imports has to be shown even where it lies in the working one.
        nowhere = Path(os.devnull)
        interpreter = await find_interpreter(nowhere, chosen=str(here) if here.exists() else chosen, environ=os.environ)
        return executor, interpreter


def _require_specification(wanted: object) -> None:
    require_kind("wanted", wanted, Specification, "give a Specification")


def current_runtime() -> Runtime:
    """Return the runtime of the `with` block this is called in, or one that has nothing set."""
    return in_force.get() or Runtime()


Result = TypeVar("Result")


async def generate(
    wanted: Specification, *, strategy: Strategy | None = None, llm: ChatModel | str | None = None
) -> Generated:
    """Write the function that is wanted; see `Runtime.generate`."""
    return await current_runtime().generate(wanted, strategy=strategy, llm=llm)


async def build(
    wanted: Specification,
    *,
    strategy: Strategy | None = None,
    llm: ChatModel | str | None = None,
    fall_back: FallBack = "untouched",
) -> Built:
    """Write the function that is wanted, once, and return it ready to be called; see `Runtime.build`."""
    return await current_runtime().build(wanted, strategy=strategy, llm=llm, fall_back=fall_back)


async def run(
    wanted: Specification,
    inputs: Mapping[str, Any],
    *,
    strategy: Strategy | None = None,
    llm: ChatModel | str | None = None,
    fall_back: FallBack = "untouched",
) -> Any:
    """Write the function that is wanted and call it once; see `Runtime.run`."""
    return await current_runtime().run(wanted, inputs, strategy=strategy, llm=llm, fall_back=fall_back)


def wait(coroutine: Coroutine[Any, Any, Result], /) -> Result:
    """Run anything of this API to its end, for programs that are not asynchronous: `wait(generate(wanted))`.

    Raises:
        RuntimeError: the program is asynchronous; use `await` there.
    """

    async def awaited() -> Result:
        return await coroutine

    try:
        return anyio.run(awaited)
    finally:
        if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
            coroutine.close()
