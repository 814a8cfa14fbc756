"""An answer that changes several files: which of its blocks are about another file, and what becomes of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from certo.edits.source import read_source
from certo.generation.model.extraction import MOST_CHARACTERS, without_prompts, without_thoughts
from certo.generation.model.fences import Block, blocks, fenced
from certo.generation.model.merging_files import merged_file
from certo.project.testfiles import is_test_file
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem

MOST_SHOWN = 8_000
"""A file with more characters is shown by its diff when a model's own answer is repeated to it."""

_PATH = re.compile(r"(?<![\w/.~\\-])((?:[\w.~-]*[/\\])*[\w.-]+\.py)(?![\w/\\])")
_COMMENT = re.compile(r"\A\s*#[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """An answer without what it says of other files, and the code that it has for each of these, by their paths.

    `cut` names a file whose code has no end, nothing where each has; `bare` says that all code was about others.
    """

    own: str
    others: Mapping[str, str]
    cut: str = ""
    bare: bool = False


def parted(answer: str, problem: Problem) -> Parted:
    """Tell the blocks of an answer apart by the files they are about, where a candidate may change several.

    The path of another file stands in the line above a block, behind its fence, or in a comment on its first line. What
    names none, or the problem's own, is about the target.
    """
    text = without_thoughts(answer[:MOST_CHARACTERS]).replace("\r\n", "\n")
    if problem.others is None:
        return Parted(own=answer, others={})
    lines = text.split("\n")
    others: dict[str, list[str]] = {}
    cut, own = "", 0
    for block in blocks(text):
        path = _about(block)
        if not block.is_python or not path or path == problem.path:
            own += bool(block.code.strip())
            continue
        others.setdefault(path, []).append(without_prompts(block.code))
        cut = cut or ("" if block.closed else path)
        first, last = block.lines
        lines[first : last + 1] = [""] * (last + 1 - first)
    joined = {path: "\n\n\n".join(code) for path, code in others.items()}
    return Parted(own="\n".join(lines), others=joined, cut=cut, bare=bool(joined) and not own)


def elsewhere_of(parts: Parted, problem: Problem) -> Mapping[str, str] | str:
    """The whole new texts of the other files, or in a sentence for the model why there are none."""
    if parts.cut:
        return f"the code for {parts.cut} was cut off"
    made: dict[str, str] = {}
    for path, code in parts.others.items():
        known = problem.others or frozenset()
        beside = _folder(path) in {_folder(each) for each in known} and not is_test_file(path)
        if path not in known and not beside:
            return f"{path} is no file that may be changed, nor beside one"
        try:
            old = problem.unsaved.get(path)
            if old is None and path in known:
                old = read_source(problem.root / path)
            made[path] = merged_file(old, code)
        except SyntaxError as error:
            return f"what it has for {path} is no Python: line {error.lineno}: {error.msg}"
        except BadRequest as error:
            return str(error)
    return made


def answered(candidate: Candidate, own: str) -> str:
    """A candidate as an answer: its function, which is `own`, and what it has for other files, each under its path."""
    shown = [fenced(own)]
    for change in candidate.elsewhere:
        whole = len(change.after) <= MOST_SHOWN
        block = fenced(change.after.replace("\r\n", "\n")) if whole else fenced(change.diff, "diff")
        shown.append(f"`{change.path}`\n\n{block}")
    return "\n\n".join(shown)


def _about(block: Block) -> str:
    """The path that a block is headed by; nothing where none is, or more than one."""
    comment = _COMMENT.match(block.code)
    for heading in (block.rest, block.above, comment.group() if comment else ""):
        found = dict.fromkeys(_PATH.findall(heading))
        if len(found) == 1:
            path: str = next(iter(found))
            return path.replace("\\", "/").removeprefix("./")
    return ""


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)
