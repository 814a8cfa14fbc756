"""The knowledge that a search leaves in the journal: its attempts, its facts, and the lessons of what was accepted."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from certo.generation.model.templates import load
from certo.knowledge.lessons import fact_keys, facts, lessons, past_try
from certo.knowledge.reflection import Reflection
from certo.knowledge.repo_memory import holding
from certo.project.listing import list_files
from certo.search.engine import Parts
from certo.search.strategy import Bench, Strategy, compares_answers
from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import BadSetting, BrokenWorld, BudgetExhausted, ModelFailed
from certo.vocabulary.events import CandidateScored, Event, SearchStopped
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)


def record_lessons(live: LiveSearch, event: Event) -> None:
    """Take down what an event teaches, if it teaches anything; the board of its search has it already."""
    if live.journal is None or live.state.started is None:
        return
    if isinstance(event, CandidateScored):
        made = past_try(live.state, live.state.rows[event.candidate_id], time.time())
        if made is not None:
            live.journal.learned.tried(made)
    elif isinstance(event, SearchStopped):
        claims = facts(live.state, live.resolved.target)
        live.journal.learned.learn(claims, instead_of=fact_keys(live.state))


def rejected_before(live: LiveSearch) -> Mapping[str, str]:
    """Return the candidates that users rejected in searches of this project, with the reasons; nothing unread."""
    try:
        return live.journal.learned.rejected() if live.journal is not None else {}
    except sqlite3.Error as error:
        # The journal says for itself when it cannot be used.
        log.debug("what was rejected cannot be read: %s", error)
        return {}


def learn_accepted(live: LiveSearch, candidate: str | None) -> None:
    """Keep for the project what was learned on the branch that led to a candidate, for that is in the text now.

    What other branches learned ends with their search.
    """
    if live.journal is not None:
        live.journal.learned.learn(lessons(live.state, candidate, live.base, live.resolved.target))


def with_reflection(
    parts: Parts, live: LiveSearch, problem: Problem, environ: Mapping[str, str], say: Callable[[str], None]
) -> Parts:
    """Return the parts of a search whose strategy ends with a question to `memory.model`, if set, for what was learned.

    `say` takes a sentence for the user when that fails, and the settings want no more than that.
    """
    if live.journal is None or live.resolved.settings.memory.model is None or live.resolved.request.ambient:
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

    @property
    def compares(self) -> bool:
        """True if the strategy itself compares its answers."""
        return compares_answers(self.inner)

    async def pursue(self, bench: Bench, /) -> None:
        """Pursue the search, then learn.

        Raises:
            BrokenWorld: nothing could be learned, and that is to fail the search.
        """
        await self.inner.pursue(bench)
        options = self.live.resolved.settings.memory
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
        tries = [past_try(live.state, row, 0.0) for row in live.state.rows.values() if row.scored]
        settings = live.resolved.settings.generation
        reflection = Reflection(problem=problem, templates=load(problem.root, settings.prompts), options=settings)
        claims = await reflection.claims(
            live.run.models.named(name), [each for each in tries if each is not None], live.id, retries=retries
        )
        listing = await list_files(problem.root, self.environ)
        texts = {**problem.unsaved, problem.path: problem.text}
        held = await holding(claims, problem.root, [each.path for each in listing.files], texts)
        if live.journal is not None:
            live.journal.learned.learn(held)
