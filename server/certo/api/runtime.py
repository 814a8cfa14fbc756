"""The runtime: what searches and calls from Python have in common, and the ways to ask for code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from certo.api.built import Built, FallBack
from certo.api.cache import CodeCache, key_of
from certo.api.calling import CodeExecutor, SandboxedCode
from certo.api.generated import Generated
from certo.api.searching import Wish, search_for
from certo.api.specification import Specification
from certo.api.strategy import Strategy, merged
from certo.llm.model import ChatModel
from certo.project.interpreter import find_interpreter
from certo.sandbox.elsewhere import place_executor
from certo.sessions.searches import LiveSearch
from certo.settings.loading import load_settings
from certo.vocabulary.events import Event


@dataclass(kw_only=True)
class Runtime:
    """What searches and calls have in common.

    `llm` writes code where neither the call nor the specification says what does; without any, certo's built-in search
    does, which needs examples or tests. `strategy` is laid under those of the specification and of the call.
    `executor` calls generated code, in certo's own sandbox when not given. `cache` keeps what `build` has come to, and
    None keeps nothing. `settings` are certo's own by their dotted names, such as {"tests.seconds": 5}. `listener`
    hears every event of every search.

    Within `with runtime:`, the module's functions use this one.
    """

    llm: ChatModel | None = None
    strategy: Strategy | None = None
    executor: CodeExecutor | None = None
    cache: CodeCache | None = field(default_factory=CodeCache)
    settings: Mapping[str, Any] = field(default_factory=dict)
    listener: Callable[[LiveSearch, Event], None] | None = None
    _before: list[Any] = field(default_factory=list, init=False, repr=False)

    def __enter__(self) -> Runtime:
        self._before.append(_current.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self._before.pop())

    async def generate(
        self, wanted: Specification, *, strategy: Strategy | None = None, llm: ChatModel | None = None
    ) -> Generated:
        """Write the function that is wanted, and return every candidate that passed, the best first.

        Raises:
            AttemptsFailed: no candidate passed; it has every one that was tried.
            BadRequest: a setting, or something that was given to judge or to write, is not as it should be.
            BrokenWorld: nothing can be run here, or the model did not answer.
        """
        return await search_for(self._wish(wanted, strategy, llm), self._hear)

    async def build(
        self,
        wanted: Specification,
        *,
        strategy: Strategy | None = None,
        llm: ChatModel | None = None,
        fall_back: FallBack = "untouched",
    ) -> Built:
        """Write the function that is wanted, or take it from the cache, and return it ready to be called.

        The cache goes by all that decides what comes of it: the specification, the model, the strategy, the prompts
        and certo's version. What cannot be named, such as a function without source, is not kept. Raises as `generate`.
        """
        wish = self._wish(wanted, strategy, llm)
        key = key_of(wish) if self.cache is not None else None
        generated = self.cache.get(key) if self.cache is not None and key is not None else None
        if generated is None:
            generated = await search_for(wish, self._hear)
            if self.cache is not None and key is not None:
                self.cache.put(key, generated)
        executor = self.executor or await self._sandbox()
        return Built(specification=wanted, generated=generated, executor=executor, fall_back=fall_back)

    async def run(
        self,
        wanted: Specification,
        inputs: Mapping[str, Any],
        *,
        strategy: Strategy | None = None,
        llm: ChatModel | None = None,
        fall_back: FallBack = "untouched",
    ) -> Any:
        """Write the function that is wanted and call it once; the result is of the specified type, or there is none.

        Raises as `generate` and the built function do.
        """
        wanted.plain_inputs(inputs)
        generated = await self.generate(wanted, strategy=strategy, llm=llm)
        executor = self.executor or await self._sandbox()
        built = Built(specification=wanted, generated=generated, executor=executor, fall_back=fall_back)
        return await built(**inputs)

    def _wish(self, wanted: Specification, strategy: Strategy | None, llm: ChatModel | None) -> Wish:
        return Wish(
            wanted=wanted,
            strategy=merged(Strategy, strategy, wanted.strategy, self.strategy),
            model=llm or wanted.llm or self.llm,
            settings={"interpreter": sys.executable, **self.settings},
            environ=os.environ,
        )

    def _hear(self, live: LiveSearch, event: Event) -> None:
        if self.listener is not None:
            self.listener(live, event)

    async def _sandbox(self) -> CodeExecutor:
        """Where generated code is called unless the caller has a place for it."""
        flags = {"interpreter": sys.executable, **self.settings}
        here = Path.cwd()
        settings = load_settings(Path(os.devnull), client=None, environ=os.environ, flags=flags)
        executor = await place_executor(settings.sandbox, settings.executor)
        return SandboxedCode(executor, await find_interpreter(here, chosen=settings.interpreter, environ=os.environ))


_current: ContextVar[Runtime | None] = ContextVar("certo.runtime", default=None)


def current_runtime() -> Runtime:
    """The runtime of the `with` block this is called in, or one that has nothing set."""
    return _current.get() or Runtime()
