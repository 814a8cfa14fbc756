"""Differences between a function as it is and an older version of it, by behaviour."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from certo.behaviour.diff import BehaviourDiff, why_not_compared
from certo.behaviour.observed_files import files_that_name
from certo.behaviour.subject import OtherTree, Subject, edit_to
from certo.behaviour.version_comparison import ComparisonBudget, compare_versions
from certo.edits.definitions import definitions
from certo.edits.source import parse, read_source
from certo.edits.target import ByName, find_target
from certo.project.ignored_files import MAX_ITEMS
from certo.project.revisions import Revision
from certo.project.testfiles import is_test_file
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, hidden_from_runs
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderVersion:
    """Another version of a project: its `name`, and the texts of the files that differ, None for those not there."""

    name: str
    texts: Mapping[str, str | None]


async def older_at(revision: Revision, resolved: ResolvedRequest) -> OlderVersion:
    """Return the project at a revision; the document in the editor counts as it is there.

    Raises:
        BadRequest: The document was not there.
    """
    texts = {path: await revision.text_of(path) for path in await revision.changed_files()}
    if resolved.path not in texts:
        texts[resolved.path] = await revision.text_of(resolved.path)
    if texts[resolved.path] is None:
        raise BadRequest(
            f"{resolved.path} is not in {revision.name}; compare with a revision that has it: --against REV"
        )
    return OlderVersion(name=revision.name, texts=texts)


async def diff_function(
    resolved: ResolvedRequest, context: ExecutionContext, older: OlderVersion, budget: ComparisonBudget
) -> BehaviourDiff:
    """Compare a function with an older version of it.

    Raises:
        BadRequest: The older version has no such function.
        BrokenWorld: Nothing can be run here.
    """
    began = time.monotonic()
    text = older.texts[resolved.path] or ""
    target = find_target(text, ByName.of(resolved.target), path=f"{resolved.path} of {older.name}")
    place = BehaviourDiff(
        path=resolved.path,
        qualname=resolved.target.short_name,
        line=resolved.target.line,
        older=older.name,
        older_line=target.line,
    )
    subject = await _subject(resolved, context)
    if subject.callee is None:
        return replace(place, reason=_uncallable(resolved.target))
    others = {path: one for path, one in older.texts.items() if path != resolved.path and not is_test_file(path)}
    edit = edit_to(subject, text, target) if not others else None
    if edit is not None:
        comparison = await compare_versions(subject, [[edit]], budget=budget)
    else:
        tree = OtherTree(path=resolved.path, text=text, target=target, texts={**others, resolved.path: text})
        comparison = await compare_versions(subject, tree=tree, budget=budget)
    found = replace(place, comparison=comparison, seconds=round(time.monotonic() - began, 3))
    return replace(found, reason=why_not_compared(found))


async def _subject(resolved: ResolvedRequest, context: ExecutionContext) -> Subject:
    ignored = await hidden_from_runs(resolved, context, _unheard)
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


def _unheard(message: str) -> None:
    """Drop a message."""


def _uncallable(target: Target) -> str:
    outer = target.qualname.partition(".<locals>.")[0]
    if outer != target.qualname:
        return f"{target.short_name} is inside another function and cannot be called from outside; compare {outer}"
    return f"{target.short_name} cannot be called from outside, as a setter; compare a function that uses it"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFunction:
    """A function that differs from an older version, or, if `is_new`, is not in it; `size` is that of the change."""

    path: str
    target: Target
    is_new: bool
    size: int


def changed_functions(path: str, now: str, before: str | None) -> Iterator[ChangedFunction]:
    """Yield the functions of a file whose syntax tree differs from the older one; nested ones count as their outer."""
    own, older = _trees(now), _trees(before) if before is not None else {}
    for qualname, (tree, number) in own.items():
        if older.get(qualname, ("", 0))[0] == tree:
            continue
        target = find_target(now, ByName(qualname[0], number), path=path)
        previous = older.get(qualname, ("", 0))[0]
        yield ChangedFunction(
            path=path, target=target, is_new=qualname not in older, size=abs(len(tree) - len(previous))
        )


def _trees(text: str) -> dict[tuple[str, int], tuple[str, int]]:
    """Return the syntax trees of the functions of a text, as text, by qualified name and number."""
    found: dict[tuple[str, int], tuple[str, int]] = {}
    seen: dict[str, int] = {}
    try:
        tree = parse(text)
    except SyntaxError:
        return {}
    for definition in definitions(tree):
        if "<locals>" not in definition.qualname:
            number = seen.get(definition.qualname, 0)
            seen[definition.qualname] = number + 1
            found[definition.qualname, number] = ast.dump(definition.node), number
    return found


async def changed_since(revision: Revision) -> list[ChangedFunction]:
    """Return the functions that differ from a revision, the most changed first; tests are left out."""
    found: list[ChangedFunction] = []
    for path in await revision.changed_files():
        if is_test_file(path) or not (revision.root / path).is_file():
            continue
        try:
            now = read_source(revision.root / path)
            found += changed_functions(path, now, await revision.text_of(path))
        except BadRequest:
            continue
    return sorted(found, key=lambda one: (one.is_new, -one.size, one.path, one.target.line))
