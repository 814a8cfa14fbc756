"""Diffs: unified diffs, hunks and changed lines."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

from certo.edits.alignment import changed_blocks
from certo.edits.positions import newline_of, split_lines, with_newlines
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.display import one_line
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import Hunk

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
r"""A line as git sees it: only \n ends it, and a \r before that belongs to the line."""


def unified(base: str | None, text: str, path: str) -> str:
    """Return the change as a unified diff for `git apply`, or "" if nothing changed.

    `path` is relative to the directory in which the diff would be applied, in POSIX form; a `base` of None is a new
    file.
    """
    lines = list(difflib.unified_diff(_LINE.findall(base or ""), _LINE.findall(text)))[2:]
    if not lines:
        return ""
    whole = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    old = "/dev/null" if base is None else _named("a", path)
    return f"--- {old}\n+++ {_named('b', path)}\n{''.join(whole)}"


def changed_lines(base: str, text: str) -> frozenset[int]:
    """Return the 1-based lines of `text` that are new or changed; for removed lines, their neighbours."""
    before, after = split_lines(base), split_lines(text)
    changed: set[int] = set()
    for block in changed_blocks(before, after):
        if block.new_end > block.new_start:
            changed.update(range(block.new_start + 1, block.new_end + 1))
        else:
            changed.update(line for line in (block.new_start, block.new_start + 1) if 1 <= line <= len(after))
    return frozenset(changed)


@lru_cache(maxsize=256)
def _named(side: str, path: str) -> str:
    """Return a path as git writes it in a diff's head: quoted when it must be, ended by a tab when it has a space."""
    name = f"{side}/{path}"
    if any(map(_is_quoted, name)):
        return '"' + "".join(_octal(each) if _is_quoted(each) else each for each in name) + '"'
    return f"{name}\t" if " " in name else name


def _is_quoted(character: str) -> bool:
    """True if a character must be quoted in a diff's header, because git would misread it or it is invisible."""
    return character in '"\\\t' or one_line(f"x{character}x") != f"x{character}x"


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


def hunks_of(base: str, text: str) -> tuple[Hunk, ...]:
    """Return the hunks between `base` and `text` in order; equal lines separate them."""
    before, after = split_lines(base), split_lines(text)
    return tuple(
        Hunk(
            line=block.old_start + 1,
            removed=tuple(before[block.old_start : block.old_end]),
            added=tuple(after[block.new_start : block.new_end]),
        )
        for block in changed_blocks(before, after)
    )


def with_hunks(base: str, *changes: tuple[str, Collection[int]]) -> str:
    """Return the base text with only these hunks of changed texts, numbered from 1 in the order of each text.

    A hunk that several of the texts have is taken once.

    Raises:
        BadSetting: A text has no hunk of such a number, or two hunks change the same lines in different ways.
    """
    chosen: list[Hunk] = []
    for text, numbers in changes:
        hunks = hunks_of(base, text)
        unknown = sorted(set(numbers) - set(range(1, len(hunks) + 1)))
        if unknown:
            raise BadSetting(f"the candidate has no hunk {unknown[0]}; name some of 1 to {len(hunks)}")
        chosen += [hunks[number - 1] for number in set(numbers) if hunks[number - 1] not in chosen]
    chosen.sort(key=lambda hunk: (hunk.line, len(hunk.removed)))
    for one, other in pairwise(chosen):
        if other.line < one.line + max(1, len(one.removed)):
            raise BadSetting(f"two of the hunks change line {other.line} in different ways; choose one of them")
    old = split_lines(base)
    parts: list[str] = []
    done = 0
    for hunk in chosen:
        parts += [*old[done : hunk.line - 1], *hunk.added]
        done = hunk.line - 1 + len(hunk.removed)
    return "".join([*parts, *old[done:]])


def change_of(path: str, before: str | None, after: str) -> FileChange:
    """Return the change of a file from `before` to `after` with the file's line breaks; a new file keeps its own."""
    text = after if before is None else with_newlines(after, newline_of(before))
    return FileChange(
        path=path, before=before, after=text, diff=unified(before, text, path), hunks=hunks_of(before or "", text)
    )


def whole_diff(candidate: Candidate, problem: Problem) -> str:
    """Return all changes of a candidate as one unified diff, the problem's own document first."""
    own = unified(problem.text, candidate.text, problem.path)
    return "".join((own, *(change.diff for change in candidate.elsewhere)))
