"""Three-way merge of two changes of one text by `git merge-file`; conflicts are reported, never guessed.

Git is used as a program. The only maintained library for this on PyPI, merge3, is under the GPL, unlike certo; nearly
everyone who edits code has git and knows its merge.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from certo.edits.alignment import changed_blocks
from certo.edits.positions import split_lines
from certo.sandbox.process.command import ask
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.text import Collision, Span

_MARKS = re.compile(r"^(<+|=+|>+)", re.MULTILINE)

_MAX_CONFLICTS = 127
"""The largest number of conflicts that the exit code of `git merge-file` reports; a larger code is an error."""


async def merge(base: str, ours: str, theirs: str) -> str | tuple[Collision, ...]:
    """Merge two changes of `base` by lines; return the text with both, or the conflicts.

    Changes of the same or of neighbouring lines conflict unless they are equal.

    Raises:
        BrokenWorld: There is no git here, or it failed.
    """
    git = shutil.which("git")
    if git is None:
        raise BrokenWorld("your changes and the candidate's can only be merged by git, which is not here; install git")
    # The markers are longer than any similar line of the texts.
    size = max([6, *(len(found.group()) for text in (ours, theirs) for found in _MARKS.finditer(text))]) + 1
    with tempfile.TemporaryDirectory(prefix="certo-merge-") as folder:
        home = Path(folder)
        for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            (home / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        plainly = ("-c", "merge.conflictStyle=merge", "merge-file", f"--marker-size={size}")
        try:
            answer = await ask([git, *plainly, "ours", "base", "theirs"], environ=_environ(home), directory=home)
        except (OSError, TimeoutError) as error:
            raise BrokenWorld(f"{git} could not merge your changes and the candidate's: {error}") from error
        if not 0 <= answer.status <= _MAX_CONFLICTS:
            raise BrokenWorld(f"{git} could not merge your changes and the candidate's: {answer.last_words}")
        merged = (home / "ours").read_bytes().decode("utf-8", "surrogatepass")
    return _collisions(merged, ours, size) if answer.status else merged


def _environ(home: Path) -> dict[str, str]:
    """Return an environment for git without any repository or setting of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CEILING_DIRECTORIES": str(home.parent), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}


def _collisions(marked: str, ours: str, size: int) -> tuple[Collision, ...]:
    """Return the conflicts in git's output, which without marks and the other side is nearly our text."""
    kept: list[str] = []
    found: list[tuple[int, list[str], list[str]]] = []
    side = ""
    for line in split_lines(marked):
        mark = line[:1] if len(line) >= size and line[:size] == line[:1] * size and line[:1] in "<=>" else ""
        if mark == "<":
            found.append((len(kept), [], []))
        elif not mark and side == "=":
            found[-1][2].append(line)
        elif not mark:
            kept.append(line)
            if side == "<":
                found[-1][1].append(line)
        side = "" if mark == ">" else mark or side
    return tuple(_placed(found, kept, split_lines(ours)))


def _placed(
    found: Sequence[tuple[int, list[str], list[str]]], kept: Sequence[str], ours: Sequence[str]
) -> Iterator[Collision]:
    """Yield conflicts with their places in our text; `kept` differs from it only by clean merges."""
    blocks = changed_blocks(kept, ours)
    starts = [0, *accumulate(map(len, ours))]
    for line, mine, their in found:
        moved = sum(
            (block.new_end - block.new_start) - (block.old_end - block.old_start)
            for block in blocks
            if block.old_end <= line
        )
        start = min(max(line + moved, 0), len(ours))
        end = min(start + len(mine), len(ours))
        yield Collision(span=Span(starts[start], starts[end]), ours="".join(mine), theirs="".join(their))
