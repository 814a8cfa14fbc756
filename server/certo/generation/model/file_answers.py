"""Answers that change several files: the blocks about other files, and the new texts of those files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from certo.edits.offsets import SourceMap
from certo.edits.patch import apply_edits
from certo.edits.source import parse, read_source
from certo.generation.model.code_blocks import CodeBlock, blocks, fenced
from certo.generation.model.code_extraction import MAX_CHARACTERS, without_prompts, without_thoughts
from certo.generation.model.code_placement import indentation, reindented
from certo.project.testfiles import is_test_file
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit

Named: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign

_APART = "\n\n\n"
"""Separator of two definitions of a module."""


def merged_file(old: str | None, code: str) -> str:
    """Return a file's text merged with code written for it; without an `old` text the code is the file.

    Code with all the names and imports of the file replaces it. Otherwise its functions, classes and constants replace
    those of the same names, a class with only some methods just these; new ones are added: imports after imports,
    methods to their class, everything else at the end.

    Raises:
        SyntaxError: One of them is no Python.
    """
    text = f"{code.strip(chr(10))}\n"
    new = parse(text)
    if old is None or not old.strip():
        return text
    tree = parse(old)
    if _has_all(new.body, tree.body):
        return text
    return _Merging(old, text).merged(tree, new)


def _has_all(new: Sequence[ast.stmt], old: Sequence[ast.stmt]) -> bool:
    """True if replacing statements of a module by others loses none of their definitions."""
    wanted = {_name(each) for each in _named(old)} | {ast.dump(each) for each in _imports(old)}
    return bool(wanted) and wanted <= {_name(each) for each in _named(new)} | {ast.dump(each) for each in _imports(new)}


class _Merging:
    """Edits that replace one text's statements by the other's."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        self._places, self._sources = SourceMap(old), SourceMap(new)
        self._edits: list[TextEdit] = []

    def merged(self, old: ast.Module, new: ast.Module) -> str:
        """Return the old text with all of the new one's statements."""
        known = {ast.dump(each) for each in _imports(old.body)}
        imports = [self._text(each) for each in _imports(new.body) if ast.dump(each) not in known]
        if imports:
            self._import(old, imports)
        added = self._replace(old.body, new.body, "")
        text = apply_edits(self._old, sorted(self._edits))
        return _APART.join([text.rstrip("\n"), *added]) + "\n" if added else text

    def _replace(self, old: Sequence[ast.stmt], new: Sequence[ast.stmt], margin: str) -> list[str]:
        """Replace definitions that both have, pairing equal names in order; return the texts of new ones."""
        places: dict[str, list[Named]] = {}
        for each in _named(old):
            places.setdefault(_name(each), []).append(each)
        added = []
        for each in _named(new):
            before = places.get(_name(each), [])
            if not before:
                added.append(reindented(self._new, (each,), margin))
                continue
            place = before.pop(0)
            if isinstance(place, ast.ClassDef) and isinstance(each, ast.ClassDef) and _is_a_part(each, place):
                self._extend(place, each)
            else:
                span = self._places.span(place)
                self._edits.append(TextEdit(span, reindented(self._new, (each,), margin).removeprefix(margin)))
        return added

    def _extend(self, old: ast.ClassDef, new: ast.ClassDef) -> None:
        """Replace methods of a class, and add others after its last statement."""
        margin = indentation(self._old, self._places.span(old.body[0]).start) or "    "
        added = self._replace(old.body, new.body, margin)
        if added:
            end = self._places.end(old)
            self._edits.append(TextEdit(Span(end, end), "".join(f"\n\n{each}" for each in added)))

    def _import(self, old: ast.Module, imports: Sequence[str]) -> None:
        """Add imports after the existing ones, after the docstring, or at the top."""
        lines = "\n".join(imports)
        docstring = [each for each in old.body[:1] if _is_docstring(each)]
        behind = [*docstring, *_imports(old.body)][-1:]
        if behind:
            end = self._places.end(behind[0])
            self._edits.append(TextEdit(Span(end, end), f"\n{lines}"))
        else:
            start = self._places.line_start(1)
            self._edits.append(TextEdit(Span(start, start), f"{lines}{_APART}"))

    def _text(self, statement: ast.stmt) -> str:
        span = self._sources.span(statement)
        return self._new[span.start : span.end]


def _is_a_part(new: ast.ClassDef, old: ast.ClassDef) -> bool:
    """True if a class lacks parts of the one it replaces, and so is only a part of it."""
    return not _has_all(new.body, old.body)


def _named(statements: Sequence[ast.stmt]) -> Iterator[Named]:
    return (each for each in statements if isinstance(each, Named) and _name(each))


def _name(statement: Named) -> str:
    """Return the name that a statement defines; empty where that is not exactly one."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case _:
            return ""


def _imports(statements: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    return (each for each in statements if isinstance(each, ast.Import | ast.ImportFrom))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)


MAX_SHOWN = 8_000
"""Maximum length of a file that is repeated to a model in full; longer ones are shown as diffs."""

_PATH = re.compile(r"(?<![\w/.~\\-])((?:[\w.~-]*[/\\])*[\w.-]+\.py)(?![\w/\\])")
_COMMENT = re.compile(r"\A\s*#[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """An answer without its blocks about other files, and the code of each of these by path.

    `cut` names a file whose code was cut off, empty if none was; `bare` is True if all code was about other files.
    """

    own: str
    others: Mapping[str, str]
    cut: str = ""
    bare: bool = False


def parted(answer: str, problem: Problem) -> Parted:
    """Separate the blocks of an answer by the files they are about, if a candidate may change several.

    The path of another file is in the line above a block, after its fence, or in a comment on its first line. A block
    without a path, or with the problem's own, is about the target.
    """
    text = without_thoughts(answer[:MAX_CHARACTERS]).replace("\r\n", "\n")
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
    """Return the whole new texts of the other files, or a sentence for the model why there are none."""
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
    """Return a candidate as an answer: its function `own`, and its other files, each under its path."""
    shown = [fenced(own)]
    for change in candidate.elsewhere:
        whole = len(change.after) <= MAX_SHOWN
        block = fenced(change.after.replace("\r\n", "\n")) if whole else fenced(change.diff, "diff")
        shown.append(f"`{change.path}`\n\n{block}")
    return "\n\n".join(shown)


def _about(block: CodeBlock) -> str:
    """Return the path in a block's heading; empty if there is none, or several."""
    comment = _COMMENT.match(block.code)
    for heading in (block.rest, block.above, comment.group() if comment else ""):
        found = dict.fromkeys(_PATH.findall(heading))
        if len(found) == 1:
            path: str = next(iter(found))
            return path.replace("\\", "/").removeprefix("./")
    return ""


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)
