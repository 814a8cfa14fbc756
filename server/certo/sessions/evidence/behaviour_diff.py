"""Differences between a function as it is and an older version of it, by behaviour."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from certo.behaviour.diff import BehaviourDiff, changed_lines, why_not_compared
from certo.behaviour.observed_files import files_that_name
from certo.behaviour.subject import OtherTree, Subject, edit_to
from certo.behaviour.version_comparison import ComparisonBudget, compare_versions
from certo.edits.source import parse
from certo.edits.target import ByName, find_target
from certo.project.ignored_files import MAX_ITEMS
from certo.project.revisions import MAX_EARLIER, Revision
from certo.project.testfiles import is_test_file
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, hidden_from_runs
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target
from certo.vocabulary.progress import unheard
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderVersion:
    """Another version of a project: its `name`, and the texts of the files that differ, None for those not there.

    A function that had another place there is at `moved`: the path, and the function in it.
    """

    name: str
    texts: Mapping[str, str | None]
    moved: tuple[str, ByName] | None = None


async def texts_at(revision: Revision) -> dict[str, str | None]:
    """Return the texts of the files that differ from a revision, as they are there."""
    return {path: await revision.text_of(path) for path in await revision.changed_files()}


async def older_at(
    revision: Revision,
    resolved: ResolvedRequest,
    texts: Mapping[str, str | None] | None = None,
    moved: tuple[str, ByName] | None = None,
) -> OlderVersion:
    """Return the project at a revision; `texts` are those of `texts_at`, if known. The document counts as it is there.

    Raises:
        BadRequest: The function was not there; the nearest revision that has it is named.
    """
    texts = dict(await texts_at(revision) if texts is None else texts)
    if resolved.path not in texts:
        texts[resolved.path] = await revision.text_of(resolved.path)
    if moved is None and not _has(texts[resolved.path], resolved.target, resolved.path):
        raise BadRequest(await _not_there(revision, resolved, texts[resolved.path]))
    return OlderVersion(name=revision.name, texts=texts, moved=moved)


def _has(text: str | None, target: Target, path: str) -> bool:
    try:
        return text is not None and bool(find_target(text, ByName.of(target), path=path))
    except BadRequest:
        return False


def _flaw(text: str) -> str:
    """Return the reason why a text is no Python, with the line; "" if it is."""
    try:
        parse(text)
    except SyntaxError as error:
        return f"{error.msg}, line {error.lineno}"
    return ""


async def _not_there(revision: Revision, resolved: ResolvedRequest, text: str | None) -> str:
    """Return what a revision lacks, and the newest commit that has it."""
    path, name = resolved.path, resolved.target.short_name
    lacks = f"{path} is not in {revision.name}" if text is None else f"{path} of {revision.name} has no {name}"
    if text is not None and (flaw := _flaw(text)):
        lacks = f"{path} of {revision.name} is no valid Python: {flaw}"
    for commit, earlier in await revision.earlier(path):
        if _has(earlier, resolved.target, path):
            return f"{lacks}; the nearest revision that has it is {commit}: --against {commit}"
    return f"{lacks}, and no commit of the last {MAX_EARLIER} that changed the file has it; name a file: --with FILE"


async def diff_function(
    resolved: ResolvedRequest, context: ExecutionContext, older: OlderVersion, budget: ComparisonBudget
) -> BehaviourDiff:
    """Compare a function with an older version of it.

    Raises:
        BadRequest: The older version has no such function.
        BrokenWorld: Nothing can be run here.
    """
    began = time.monotonic()
    path, where = older.moved or (resolved.path, ByName.of(resolved.target))
    text = older.texts[path] or ""
    target = find_target(text, where, path=f"{path} of {older.name}")
    place = BehaviourDiff(
        path=resolved.path,
        qualname=resolved.target.short_name,
        line=resolved.target.line,
        older=older.name,
        older_line=target.line,
        older_place=f"{path}::{target.short_name}" if older.moved else "",
    )
    if resolved.target.is_hole or target.is_hole:
        which = "yet" if resolved.target.is_hole else f"in {older.name}"
        return replace(place, reason=f"{place.qualname} has no body {which}, so there is nothing to compare")
    subject = await _subject(resolved, context)
    if subject.callee is None:
        return replace(place, reason=_uncallable(resolved.target))
    others = {each: one for each, one in older.texts.items() if each != path and not is_test_file(each)}
    edit = edit_to(subject, text, target) if not (others or older.moved) else None
    if edit is not None:
        comparison = await compare_versions(subject, [[edit]], budget=budget)
    else:
        # A new name for the function at the end of its module: calls are made by the name that it has now.
        named = text + _alias(target.qualname, resolved.target.qualname)
        tree = OtherTree(path=path, text=named, target=target, texts={**others, path: named})
        comparison = await compare_versions(subject, tree=tree, budget=budget)
    changed = changed_lines(resolved.request.text, resolved.target, text, target)
    found = replace(place, comparison=comparison, changed=changed, seconds=round(time.monotonic() - began, 3))
    return replace(found, reason=why_not_compared(found))


def _alias(before: str, now: str) -> str:
    return f"\n{now} = {before}\n" if before != now else ""


async def _subject(resolved: ResolvedRequest, context: ExecutionContext) -> Subject:
    ignored = await hidden_from_runs(resolved, context, unheard)
    return Subject(
        root=resolved.root,
        path=resolved.path,
        text=resolved.request.text,
        target=resolved.target,
        executor=context.executor,
        interpreter=context.interpreter,
        policy=next(iter(context.executor.policies), Policy.STRICT),
        unsaved=resolved.unsaved,
        tests=files_that_name(resolved.root, resolved.path, resolved.target.qualname, resolved.unsaved),
        hidden=ignored[:MAX_ITEMS],
    )


def _uncallable(target: Target) -> str:
    outer = target.qualname.partition(".<locals>.")[0]
    if outer != target.qualname:
        return f"{target.short_name} is inside another function and cannot be called from outside; compare {outer}"
    return f"{target.short_name} cannot be called from outside, as a setter; compare a function that uses it"
