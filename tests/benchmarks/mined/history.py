"""Fixes of one place of one function, from the history of repositories."""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SUBJECT = re.compile(
    r"\b(fix(e[sd]|ing)?|bugs?|issues?|regress\w*|wrong(ly)?|incorrect(ly)?|broken|crash\w*|handle[sd]?)\b", re.I
)
NO_FIX = re.compile(
    r"\b(typos?|spelling|docs?|docstrings?|documentation|lint\w*|flake8|pep ?8|black|mypy|typing)\b", re.I
)
TEST = re.compile(r"(^|/)(tests?|testing|docs?|examples?|vendor|_vendor)/|(^|/)(test_\w*|\w*_test|conftest|setup)\.py$")
MAX_CHANGED_LINES = 12
"""Largest distance, in lines of the file, between the first and the last changed line."""
MAX_STATEMENTS = 2
"""Number of lines of normalised code, one for each head or statement, that a fix may only take away or put in."""
MAX_BLOCK = 4
"""Number of such lines that a fix may put into a block, take from one, or bring into another order."""
MAX_FILE = 300_000
MAX_FUNCTION_LINES = 40
LITERAL = re.compile(r"'[^'\n\\]*'|\"[^\"\n\\]*\"|(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
RAISES = re.compile(r"(?:raises|assertRaises)\(\s*([\w.]+)")
MAX_LITERALS = 40
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Mined:
    """One fix: where it is, the file before it, and the function's normalised code after it.

    `literals` and `expected` are the constants and the exceptions in lines that the same commit added to tests.
    """

    repo: str
    commit: str
    subject: str
    path: str
    qualname: str
    line: int
    before: str
    fixed: str
    literals: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def part(self) -> str:
        """`development` or `validation`, by a hash of the repository's name, 60 to 40."""
        digest = hashlib.sha256(self.repo.encode()).digest()
        return "development" if digest[0] % 10 < 6 else "validation"

    def as_row(self) -> dict[str, Any]:
        """Return the fix as a JSON object."""
        return asdict(self)


def from_row(row: dict[str, Any]) -> Mined:
    """Return the fix that `as_row` wrote."""
    return Mined(**{**row, "literals": tuple(row["literals"]), "expected": tuple(row["expected"])})


class Blobs:
    """The contents of a repository's files, from one process of git."""

    def __init__(self, repo: Path) -> None:
        self._git = subprocess.Popen(
            ["git", "--git-dir", str(repo), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def read(self, name: str) -> str | None:
        """Return a text; None if it is missing, large or not UTF-8."""
        assert self._git.stdin is not None
        assert self._git.stdout is not None
        self._git.stdin.write(name.encode() + b"\n")
        self._git.stdin.flush()
        head = self._git.stdout.readline().split()
        if len(head) != 3:
            return None
        content = self._git.stdout.read(int(head[2]) + 1)[:-1]
        try:
            return content.decode("utf-8") if len(content) <= MAX_FILE else None
        except UnicodeDecodeError:
            return None

    def close(self) -> None:
        """End the process."""
        assert self._git.stdin is not None
        self._git.stdin.close()
        self._git.wait()


@dataclass(frozen=True)
class Commit:
    """A commit: its subject, and of each changed Python file the path, and the names of its old and new content."""

    name: str
    subject: str
    files: tuple[tuple[str, str, str], ...]


def git_folders(clones: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the git directory of each repository in a folder of clones named OWNER+NAME."""
    for each in sorted(clones.iterdir()):
        found = next(
            (one for one in (each / "repo", each / "repo/.git", each / ".git", each) if (one / "HEAD").is_file()), None
        )
        if found is not None:
            yield each.name.removesuffix(".git").replace("+", "/"), found


def commits(repo: Path) -> Iterator[Commit]:
    """Yield the commits whose subject tells of a fix, in an order that depends on their names alone."""
    command = ["git", "--git-dir", str(repo), "log", "HEAD", "--no-merges", "--no-renames", "--raw", "--no-abbrev"]
    done = subprocess.run([*command, "--format=%x00%H %s", "--", "*.py"], capture_output=True, check=True)
    found = []
    for entry in done.stdout.decode("utf-8", "replace").split("\0")[1:]:
        head, *rest = entry.strip().split("\n")
        name, _, subject = head.partition(" ")
        if not SUBJECT.search(subject) or NO_FIX.search(subject):
            continue
        files = []
        for line in filter(None, rest):
            facts, _, path = line.partition("\t")
            _, _, old, new, kind = facts.split(" ")
            files.append((path, old if kind != "A" else "", new if kind != "D" else ""))
        found.append(Commit(name, subject, tuple(files)))
    yield from sorted(found, key=lambda one: one.name)


def mine(name: str, repo: Path, most: int) -> list[Mined]:
    """Return fixes of a repository, at most so many."""
    blobs = Blobs(repo)
    found: list[Mined] = []
    seen: set[tuple[str, str]] = set()
    for commit in commits(repo):
        sources = [one for one in commit.files if not TEST.search(one[0])]
        if len(sources) != 1 or not all(sources[0]):
            continue
        path, old, new = sources[0]
        before, after = blobs.read(old), blobs.read(new)
        change = one_place(before, after) if before and after else None
        if change is None or (change[1], change[2]) in seen:
            continue
        qualname, line, fixed = change[0], change[3], change[2]
        seen.add((change[1], fixed))
        added = [line for one in commit.files if TEST.search(one[0]) for line in _added(blobs, *one[1:])]
        found.append(Mined(name, commit.name, commit.subject, path, qualname, line, before or "", fixed, *_said(added)))
        if len(found) >= most:
            break
    blobs.close()
    return found


def _added(blobs: Blobs, old: str, new: str) -> list[str]:
    before = set((blobs.read(old) or "").splitlines()) if old else set()
    after = (blobs.read(new) or "").splitlines() if new else []
    return [line for line in after if line not in before]


def _said(lines: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the constants and the exceptions in lines of tests."""
    text = "\n".join(lines)
    literals = list(dict.fromkeys(LITERAL.findall(text)))[:MAX_LITERALS]
    expected = [one.rpartition(".")[2] for one in RAISES.findall(text)]
    return tuple(literals), tuple(dict.fromkeys(expected))


def one_place(before: str, after: str) -> tuple[str, str, str, int] | None:
    """Return the function that alone differs, its normalised code before and after, and the line of its `def` before.

    None if more differs, if its parameters or decorators do, or if the change is larger than one place.
    """
    old, new = before.splitlines(), after.splitlines()
    first = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    behind = zip(reversed(old[first:]), reversed(new[first:]), strict=False)
    same = next((at for at, (one, other) in enumerate(behind) if one != other), min(len(old), len(new)) - first)
    if max(len(old), len(new)) - same - first > MAX_CHANGED_LINES:
        return None
    try:
        trees = ast.parse(before), ast.parse(after)
    except (SyntaxError, ValueError, RecursionError):
        return None
    functions = [dict(functions_of(tree)) for tree in trees]
    if list(functions[0]) != list(functions[1]):
        return None
    changed = [name for name, node in functions[0].items() if ast.dump(node) != ast.dump(functions[1][name])]
    if len(changed) != 1:
        return None
    here, there = (each[changed[0]] for each in functions)
    if (here.end_lineno or 0) - here.lineno > MAX_FUNCTION_LINES or face(here) != face(there):
        return None
    texts = normalised(here), normalised(there)
    for each in (here, there):
        each.body = [ast.Pass()]
    if ast.dump(trees[0]) != ast.dump(trees[1]) or not is_small(*texts):
        return None
    return changed[0], *texts, here.lineno


def functions_of(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the outermost functions and methods with their qualified names; of one name the last."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, FUNCTIONS):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from functions_of(node, prefix)


def face(node: Function) -> list[str]:
    """Return what a fix must keep."""
    return [ast.dump(node.args), *map(ast.dump, node.decorator_list)]


def normalised(node: Function) -> str:
    """Return a function's code without comments, docstrings and layout."""
    copy = ast.parse(ast.unparse(node)).body[0]
    assert isinstance(copy, FUNCTIONS)
    for inner in ast.walk(copy):
        if isinstance(inner, (*FUNCTIONS, ast.ClassDef)) and len(inner.body) > 1 and _is_text(inner.body[0]):
            del inner.body[0]
    copy.returns = None
    return ast.unparse(copy)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_small(old: str, new: str) -> bool:
    """True if two normalised texts differ in one place.

    That is one statement written anew, at most two put in, two taken away, a block put around statements or taken from
    around them, or statements in another order.
    """
    hunks = changes_of(old, new)
    if len(hunks) != 1:
        return False
    gone, come = ([line.strip() for line in side] for side in hunks[0])
    if max(len(gone), len(come)) > MAX_BLOCK:
        return False
    kept = Counter(gone) & Counter(come)
    alone = max(len(gone), len(come)) <= MAX_STATEMENTS if not (gone and come) else len(gone) == len(come) == 1
    return alone or kept == Counter(gone) or kept == Counter(come)


def changes_of(old: str, new: str) -> list[tuple[list[str], list[str]]]:
    """Return the runs of lines in which two normalised texts differ: the lines gone, and those that came."""
    one, other = old.splitlines(), new.splitlines()
    codes = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [(one[a:b], other[c:d]) for tag, a, b, c, d in codes if tag != "equal"]
