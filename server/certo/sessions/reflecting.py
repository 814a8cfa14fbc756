"""A strategy after which a language model is asked what the search has taught, where the settings name one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from certo.generation.model.reflection import Reflection
from certo.generation.model.templates import load
from certo.project.evidence import holding
from certo.project.listing import list_files
from certo.search.engine import Parts
from certo.search.lessons import past_try
from certo.search.strategy import Bench, Strategy
from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import BadSetting, BrokenWorld, BudgetExhausted, ModelFailed
from certo.vocabulary.problem import Problem


def reflecting(
    parts: Parts, live: LiveSearch, problem: Problem, environ: Mapping[str, str], say: Callable[[str], None]
) -> Parts:
    """The parts of a search, with what was learned asked for at its end if `memory.model` names who is to be asked.

    `say` takes a sentence for the user when that fails, and the settings want no more than that.
    """
    if live.journal is None or live.aim.settings.memory.model is None:
        return parts
    return replace(parts, strategy=_Reflecting(parts.strategy, live, problem, environ, say))


@dataclass(frozen=True, slots=True)
class _Reflecting:
    """The strategy of a search, and then a look back on what it tried; the search pays for that and waits for it."""

    inner: Strategy
    live: LiveSearch
    problem: Problem
    environ: Mapping[str, str]
    say: Callable[[str], None]

    @property
    def name(self) -> str:
        """The name of the strategy itself."""
        return self.inner.name

    async def pursue(self, bench: Bench, /) -> None:
        """Pursue the search, then learn.

        Raises:
            BrokenWorld: nothing could be learned, and that is to fail the search.
        """
        await self.inner.pursue(bench)
        options = self.live.aim.settings.memory
        try:
            await self._learn(options.model or "", options.repo_memory_max_retries)
        except BudgetExhausted:
            self.say("the budget was spent before a model could be asked what the search has taught")
        except (ModelFailed, BadSetting) as failure:
            if options.repo_memory_failure_policy == "fail":
                raise BrokenWorld(
                    f"what the search has taught could not be learned: {failure}; "
                    'set memory.repo_memory_failure_policy to "warn" to have it end well without'
                ) from failure
            self.say(f"what the search has taught could not be learned: {failure}")

    async def _learn(self, name: str, retries: int) -> None:
        """Ask the model, and keep those of its claims whose quotations are where it says.

        Raises:
            BadSetting: the model is not set up as it should be.
            ModelFailed: it gave no answer that can be used.
            BudgetExhausted: nothing is left to ask it with.
        """
        live, problem = self.live, self.problem
        tries = [past_try(live.board, row, 0.0) for row in live.board.rows.values() if row.scored]
        settings = live.aim.settings.generation
        reflection = Reflection(problem=problem, templates=load(problem.root, settings.prompts), options=settings)
        claims = await reflection.claims(
            live.models.named(name), [each for each in tries if each is not None], live.id, retries=retries
        )
        listing = await list_files(problem.root, self.environ)
        texts = {**problem.unsaved, problem.path: problem.text}
        held = await holding(claims, problem.root, [each.path for each in listing.files], texts)
        if live.journal is not None:
            live.journal.learned.learn(held)
