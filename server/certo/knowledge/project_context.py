"""Knowledge about a project when a search begins: the map, lessons and earlier tries."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Sequence

import anyio

from certo.knowledge.past_attempts import failed_with, similar
from certo.knowledge.project_index import ProjectIndex
from certo.knowledge.repo_memory import RepoMemory, shown, within
from certo.sandbox.process.starvation import patient_limit
from certo.vocabulary.knowledge import Claim, PastAttempt
from certo.vocabulary.problem import Problem

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 10.0
"""Maximum time that a prompt waits for the survey of the project."""

_MAX_TRIES = 6
"""Maximum number of earlier tries mentioned."""

_TRIES_SHARE, _CLAIMS_SHARE = 0.4, 0.3
"""Shares of the space for earlier tries and for lessons about the function; the map gets the rest."""

_CHANGED_CHARACTERS = 200
"""Maximum length of a change that is quoted."""


class JournalProjectContext:
    """Context of one search from its project's journal; `look` must be called once, and `text` waits for it."""

    def __init__(self, survey: ProjectIndex, search: str, near: str) -> None:
        self._survey = survey
        self._search = search
        self._near = near
        self._looked = anyio.Event()
        self._lock = anyio.Lock()
        self._texts: dict[int, str] = {}

    async def look(self) -> None:
        """Survey the project as far as time allows."""
        try:
            async with patient_limit(_PATIENCE_SECONDS):
                await self._survey.look(self._near)
        except sqlite3.Error as error:
            log.debug("the journal cannot be read for what is known of the project: %s", error)
        finally:
            self._looked.set()

    async def text(self, problem: Problem, characters: int, /) -> str:
        """Return the context for a problem; see `ProjectContext`."""
        await self._looked.wait()
        async with self._lock:
            if characters not in self._texts:
                self._texts[characters] = await self._recalled(problem, characters)
            return self._texts[characters]

    async def _recalled(self, problem: Problem, characters: int) -> str:
        learned = self._survey.journal.learned
        try:
            # A search resumed after its process died gets the same text, so that its prompts equal the paid ones.
            told = learned.recollected(self._search, characters)
            if told is not None:
                return told
            tries = [each for each in learned.tries() if each.search != self._search]
            memory = await self._survey.memory(problem.path)
        except sqlite3.Error as error:
            # The journal reports its own failures; the prompt does without it.
            log.debug("what is known of the project cannot be read: %s", error)
            return ""
        text = context_text(problem, characters, memory, await _alike(problem, tries))
        learned.recollect(self._search, characters, text)
        self._survey.written()
        return text


def context_text(problem: Problem, characters: int, memory: RepoMemory, tries: Sequence[PastAttempt]) -> str:
    """Return the context for a problem within `characters`: earlier tries, lessons, then the map."""
    about = [claim for claim in memory.claims if _is_about(claim, problem)]
    # The tests that reach the function are in the prompt themselves.
    near = [claim for claim in about if claim.section != "testing"]
    parts: list[str] = []
    for heading, lines, share in (
        ("What earlier searches tried:", list(dict.fromkeys(_line(each, problem) for each in tries)), _TRIES_SHARE),
        ("What earlier searches learned here:", [shown(claim) for claim in near], _CLAIMS_SHARE),
    ):
        if text := within(int(characters * share) - len(heading) - 3, [f"- {line}" for line in lines]):
            parts.append(f"{heading}\n{text}")
    rest = RepoMemory(map=memory.map, claims=tuple(claim for claim in memory.claims if claim not in about))
    heading = "The project:"
    room = characters - sum(len(part) + 2 for part in parts) - len(heading) - 1
    if summary := rest.summary(max(0, room), problem.path):
        parts.append(f"{heading}\n{summary}")
    return "\n\n".join(parts)


async def _alike(problem: Problem, tries: Sequence[PastAttempt]) -> tuple[PastAttempt, ...]:
    """Return earlier tries at the same function, or at one with a similar failure, the most similar first."""
    messages = [test.message for test in problem.baseline.failing]
    wrong = set(filter(None, map(failed_with, messages))) - {"AssertionError"}
    text = " ".join((problem.path, problem.target.qualname, problem.instruction, *messages))
    here = await similar([each for each in tries if _is_here(each, problem)], text, _MAX_TRIES)
    elsewhere = [each for each in tries if not _is_here(each, problem) and failed_with(each.failure) in wrong]
    return (*here, *await similar(elsewhere, text, _MAX_TRIES - len(here)))


def _is_here(past_try: PastAttempt, problem: Problem) -> bool:
    return (past_try.path, past_try.qualname) == (problem.path, problem.target.qualname)


def _is_about(claim: Claim, problem: Problem) -> bool:
    """True if a claim is about the function, or rests on its file."""
    names_it = f"`{problem.target.qualname}` in {problem.path}" in claim.text
    return names_it or any(quote.path == problem.path for quote in claim.quotes)


def _line(past_try: PastAttempt, problem: Problem) -> str:
    where = "here" if _is_here(past_try, problem) else f"for {past_try.qualname} in {past_try.path}"
    changed = " ".join(_changed(past_try.diff))[:_CHANGED_CHARACTERS]
    return f"{where}, {changed or 'nothing'}: {'it passed' if past_try.stands else past_try.came_of_it}"


def _changed(diff: str) -> Iterator[str]:
    """Yield the lines that a diff removes and adds."""
    for line in diff.splitlines():
        if line[:1] in ("+", "-") and not line.startswith(("+++ ", "--- ")) and line[1:].strip():
            yield f"{line[0]} {' '.join(line[1:].split())}"
