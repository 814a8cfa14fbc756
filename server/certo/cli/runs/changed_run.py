"""The run of `certo verify --changed`: every function that differs from a revision is judged, or known from before."""

from __future__ import annotations

import argparse
import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

import anyio
from pydantic import ValidationError

from certo.cli.bug_log import keep_log
from certo.cli.exit_codes import NONE, NOT_COMPARED, SOLVED
from certo.cli.signals import ended_by_signals
from certo.cli.view.changes.formats import read_formats, write_changes
from certo.cli.view.terminal import progress_console, waiting
from certo.cli.view.trace import tracing
from certo.concurrency import background_tasks, run_workers, side_by_side
from certo.edits.target import ByName
from certo.llm.connections import Connections
from certo.llm.ledger import Ledger
from certo.presentation.changed_function import change_in_one_line, notes_on, result_of
from certo.project.revisions import Revision, find_revision
from certo.project.root import find_root
from certo.protocol.changed_functions import ChangedFunctionReport, ChangeNote, ChangesReport
from certo.sandbox.function_turns import MAX_AT_ONCE, FunctionTurns
from certo.sessions.assembly.models import connect, models_of
from certo.sessions.assembly.problem_statement import (
    ExecutionContext,
    ResolvedRequest,
    find_execution_context,
    resolve_request,
)
from certo.sessions.changed_function import JudgedChange, judge_change, key_of_change, request_about
from certo.sessions.evidence.behaviour_diff import texts_at
from certo.sessions.evidence.changed_functions import ChangedFunction, Changes, changes_since
from certo.sessions.persistence.test_map import remembering
from certo.sessions.persistence.verdict_cache import JournalVerdictCache
from certo.storage.journal import Journal
from certo.storage.journals import Journals
from certo.storage.location import journal_folder
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.progress import Say
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

_ADVICE = "name a function to verify: FILE::NAME"

_FAILING = {"failed": ("failed", "unreadable"), "not-verified": ("failed", "unreadable", "not-verified", "undecided")}
"""The results for which the exit code is 1, by what `--fail-on` names."""


async def run(arguments: argparse.Namespace) -> int:
    """Judge what changed, print it in the wanted formats, and return the exit code.

    Raises:
        BadRequest: There is no such revision or repository, or an argument is wrong.
        BrokenWorld: Nothing can be run here.
    """
    keep_log()
    formats = read_formats(arguments.format or ["jsonl" if arguments.json else "table"])
    progress = progress_console()
    with tracing(progress, wanted=arguments.trace):
        async with ended_by_signals() as ending, waiting(progress) as say:
            revision, changes, reports = await _judged(arguments, say, progress.print)
            folder = await revision.folder()
    if ending.signal is not None:
        return 128 + ending.signal
    code = _code(reports, arguments.fail_on)
    end = ChangesReport(
        root=str(revision.root),
        folder=folder,
        revision=revision.in_words,
        commit=revision.commit,
        exit_code=code,
        functions=len(reports),
        cached=sum(one.cached for one in reports),
        outside=changes.outside,
        test_files=changes.test_files,
    )
    write_changes(formats, reports, end)
    return code


def _code(reports: list[ChangedFunctionReport], fail_on: str | None) -> int:
    if any(one.result in _FAILING[fail_on or "not-verified"] for one in reports):
        return NONE
    return NOT_COMPARED if any(one.result == "not-judged" for one in reports) else SOLVED


async def _judged(
    arguments: argparse.Namespace, say: Say, warn: Say
) -> tuple[Revision, Changes, list[ChangedFunctionReport]]:
    root = find_root(Path.cwd() / "any.py", ())
    revision = await find_revision(root, arguments.changed, os.environ, common=True, advice=_ADVICE)
    say(f"looking for what changed since {revision.in_words}")
    changes = await changes_since(revision, await texts_at(revision), os.environ)
    async with connect(os.environ) as connections, side_by_side() as group:
        judging = _Judging(
            arguments=arguments,
            revision=revision,
            texts=changes.texts,
            say=say,
            connections=connections,
            projects=WarmProjects(group),
            journals=Journals(journal_folder(os.environ), warn),
        )
        await judging.all(changes.functions)
        group.cancel_scope.cancel()
    reports = [judging.found[number] for number in sorted(judging.found)]
    others = [*_unreadable(changes), *_deleted(changes, revision.name)]
    return revision, changes, sorted([*reports, *others], key=lambda one: (one.path, one.line, one.qualname))


def _unreadable(changes: Changes) -> Iterator[ChangedFunctionReport]:
    for path, (line, why) in changes.unreadable.items():
        note = ChangeNote(level="error", rule="unreadable", line=line, message=why)
        yield _report(path, "", line, result="unreadable", notes=(note,), reason=why)


def _deleted(changes: Changes, older: str) -> Iterator[ChangedFunctionReport]:
    for place in changes.deleted:
        path, _, name = place.partition("::")
        yield _report(path, name, 1, result="deleted", reason=f"it was there in {older}")


def _report(path: str, name: str, line: int, **others: object) -> ChangedFunctionReport:
    return ChangedFunctionReport.model_validate({"path": path, "qualname": name, "line": line, **others})


@dataclass(slots=True, kw_only=True)
class _Judging:
    """Judges changed functions, several at the same time; `found` has the results by number."""

    arguments: argparse.Namespace
    revision: Revision
    texts: Mapping[str, str | None]
    say: Say
    connections: Connections
    projects: WarmProjects
    journals: Journals
    found: dict[int, ChangedFunctionReport] = field(default_factory=dict)
    _contexts: dict[Path, ExecutionContext] = field(default_factory=dict)
    _memories: dict[Path, JournalVerdictCache] = field(default_factory=dict)
    _turns: FunctionTurns = field(default_factory=FunctionTurns)
    _looking: anyio.Lock = field(default_factory=anyio.Lock)

    async def all(self, changed: tuple[ChangedFunction, ...]) -> None:
        """Judge all functions that are not known, and write what was found to the journal."""
        queue = iter([each for each in enumerate(changed) if not await self._recall(*each)])

        async def take() -> tuple[int, ChangedFunction] | None:
            return next(queue, None)

        async def work(_: int, taken: tuple[int, ChangedFunction]) -> bool:
            number, one = taken
            try:
                resolved = self._resolved(one)
                context = await self._context(resolved)
                async with self._turns.turn(context.executor):
                    self.found[number] = await self._judge(one, resolved, context)
            except BadRequest as error:
                self.found[number] = self._refused(one, error)
            await self.journals.commit()
            return False

        try:
            await run_workers(MAX_AT_ONCE, take, work)
        finally:
            self.journals.close()

    def _resolved(self, one: ChangedFunction) -> ResolvedRequest:
        flags: dict[str, object] = {} if self.arguments.seed is None else {"search.seed": self.arguments.seed}
        if self.arguments.interpreter:
            flags["interpreter"] = self.arguments.interpreter
        return resolve_request(request_about(one, self.revision, flags), os.environ)

    async def _recall(self, number: int, one: ChangedFunction) -> bool:
        """Take what is known of a function from the journal; False if it has to be judged.

        One look at the state of each project serves all functions, for nothing is run meanwhile.
        """
        try:
            resolved = self._resolved(one)
            journal = self.journals.of(resolved.root, resolved.settings.journal)
            if journal is None or not journal.runs.knows(_subject(one)):
                return False
            context = await self._context(resolved)
            memory = self._memories.get(resolved.root)
            if memory is None:
                memory = self._memories[resolved.root] = JournalVerdictCache(
                    journal=journal, search="", root=resolved.root, context=context, settings=resolved.settings
                )
                await memory.look()
            key = await self._key(one, resolved, context, memory)
            known = None if key is None else _recalled(journal, key)
        except BadRequest as error:
            known = self._refused(one, error)
        except sqlite3.Error as error:
            log.debug("what is known of changed functions cannot be read: %s", error)
            return False
        if known is not None:
            self.found[number] = known
        return known is not None

    async def _judge(
        self, one: ChangedFunction, resolved: ResolvedRequest, context: ExecutionContext
    ) -> ChangedFunctionReport:
        journal = self.journals.of(resolved.root, resolved.settings.journal)
        revision, texts, moved = self._seen_from(resolved.root, one)
        project = context.project_key(resolved, background=False)
        async with background_tasks() as beside, remembering(resolved, context, journal) as remembered:
            kept = await beside.start(self.projects.lend, project, lambda: False)
            judged = await judge_change(
                replace(one, moved=moved),
                resolved,
                replace(remembered, kept=kept),
                self.say,
                revision=revision,
                texts=texts,
                models=models_of(resolved, self.connections, Ledger(resolved.settings.search.budget)),
            )
            report = self._described(one, judged)
            if judged.lasts and journal is not None and isinstance(remembered.memory, JournalVerdictCache):
                # Its circumstances are those from before the first run.
                key = await self._key(one, resolved, context, remembered.memory)
                if key is not None:
                    journal.runs.remember(key, _subject(one), report.model_dump_json(by_alias=True))
        return report

    async def _context(self, resolved: ResolvedRequest) -> ExecutionContext:
        async with self._looking:
            if resolved.root not in self._contexts:
                self._contexts[resolved.root] = await find_execution_context(resolved, os.environ)
        return self._contexts[resolved.root]

    async def _key(
        self, one: ChangedFunction, resolved: ResolvedRequest, context: ExecutionContext, memory: JournalVerdictCache
    ) -> str | None:
        revision, texts, moved = self._seen_from(resolved.root, one)
        return await key_of_change(replace(one, moved=moved), resolved, context, memory, revision=revision, texts=texts)

    def _seen_from(
        self, root: Path, one: ChangedFunction
    ) -> tuple[Revision, Mapping[str, str | None], tuple[str, ByName] | None]:
        """Return the revision, the older texts and the place before, as a project in a folder of this one has them."""
        if root == self.revision.root:
            return self.revision, self.texts, one.moved
        prefix = f"{root.relative_to(self.revision.root).as_posix()}/"
        texts = {path.removeprefix(prefix): text for path, text in self.texts.items() if path.startswith(prefix)}
        moved = one.moved
        if moved is not None:
            moved = (moved[0].removeprefix(prefix), moved[1]) if moved[0].startswith(prefix) else None
        return self.revision.below(root), texts, moved

    def _refused(self, one: ChangedFunction, error: BadRequest) -> ChangedFunctionReport:
        note = ChangeNote(level="warning", rule="not-judged", line=one.target.line, message=str(error))
        return self._of(one, result="not-judged", reason=str(error), notes=(note,))

    def _described(self, one: ChangedFunction, judged: JudgedChange) -> ChangedFunctionReport:
        standing, diff = judged.standing, judged.diff
        report = standing.report
        return self._of(
            one,
            result=result_of(report),
            summary=change_in_one_line(diff, report.strength),
            notes=tuple(notes_on(report, diff, one.target.line)),
            evidence=report,
            diff=diff,
            seconds=round(standing.seconds + (0.0 if diff is None else diff.seconds), 3),
        )

    def _of(self, one: ChangedFunction, **others: object) -> ChangedFunctionReport:
        return _report(one.path, one.target.short_name, one.target.line, is_new=one.is_new, **others)


def _subject(one: ChangedFunction) -> str:
    return f"changed {one.path}::{one.target.qualname}"


def _recalled(journal: Journal, key: str) -> ChangedFunctionReport | None:
    """Return the report under a key; None if there is none, or another version of certo wrote it.

    Raises:
        sqlite3.Error: The journal cannot be read.
    """
    line = journal.runs.remembered(key)
    try:
        known = None if line is None else ChangedFunctionReport.model_validate_json(line)
    except ValidationError:
        return None
    return None if known is None else known.model_copy(update={"cached": True})
