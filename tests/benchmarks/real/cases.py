"""Bugs of real projects: put back from their history, or put in by hand, and checked out."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from certo.edits.target import ByName, definition_of, examples, find_target
from certo.vocabulary.errors import BadSource, TargetNotFound
from certo.vocabulary.problem import Target


class Unusable(Exception):
    """The reason for which a fix cannot be measured here."""


@dataclass(frozen=True)
class Change:
    """A bug put in by hand: what stands once in a line of the right file, and what stands there with the bug."""

    line: int
    before: str
    after: str
    kind: str

    def applied(self, text: str) -> str:
        """Return the file's text with the bug; a line of which nothing is left goes.

        Raises:
            Unusable: The line is another one.
        """
        lines = text.splitlines(keepends=True)
        line = lines[self.line - 1] if self.line <= len(lines) else ""
        if line.count(self.before) != 1:
            raise Unusable(f"line {self.line} does not have {self.before!r} once")
        changed = line.replace(self.before, self.after)
        lines[self.line - 1] = changed if changed.strip() else ""
        return "".join(lines)


@dataclass(frozen=True)
class Fix:
    """The facts of one fix: a commit that changed one function and the tests, or the change that puts a bug in it."""

    repo: str
    commit: str
    file: str
    function: str
    tests: tuple[str, ...] = field(default=())
    change: Change | None = None

    @property
    def name(self) -> str:
        """The name in reports; with the line if the bug was put in by hand."""
        line = f":{self.change.line}" if self.change else ""
        return f"{self.repo.rpartition('/')[2]}@{self.commit[:10]} {self.function}{line}"

    @property
    def origin(self) -> str:
        """`history`, or `by hand`."""
        return "by hand" if self.change else "history"

    @property
    def part(self) -> str:
        """`development` or `validation`, by a hash of the repository and the commit, and of the place if by hand."""
        place = f" {self.file}:{self.change.line}" if self.change else ""
        digest = hashlib.sha256(f"{self.repo}@{self.commit}{place}".encode()).digest()
        return "validation" if digest[0] % 2 else "development"


@dataclass(frozen=True)
class Case:
    """A fix in a clone: the text of its file with and without the bug, and the function's source in both."""

    fix: Fix
    clone: Path
    fixed: str
    broken: str
    fixed_source: str
    broken_source: str

    @property
    def path(self) -> Path:
        """The file of the function in the clone."""
        return self.clone / self.fix.file

    def with_source(self, source: str) -> str:
        """Return the file's text with a function's source, indented as in the file, in the place of the fixed one."""
        span = find_target(self.fixed, ByName(self.fix.function), path=self.fix.file).span
        return self.fixed[: span.start] + source + self.fixed[span.end :]


def read_facts(facts: Path) -> list[Fix]:
    """Return all fixes of a file with one JSON object a line."""
    rows = [json.loads(line) for line in facts.read_text(encoding="utf-8").splitlines()]
    return [
        Fix(
            repo=row["repo"],
            commit=row["commit"],
            file=row["file"],
            function=row["function"],
            tests=tuple(row["tests"]),
            change=Change(row["line"], row["before"], row["after"], row["kind"]) if "line" in row else None,
        )
        for row in rows
    ]


def in_turns(fixes: list[Fix]) -> Iterator[Fix]:
    """Yield one fix of each repository after the other, so that the first few are of many repositories."""
    queues: dict[str, list[Fix]] = {}
    for fix in fixes:
        queues.setdefault(fix.repo, []).append(fix)
    while queues:
        for repo in list(queues):
            yield queues[repo].pop(0)
            if not queues[repo]:
                del queues[repo]


def git(*arguments: str, at: Path) -> str:
    """Return what git prints.

    Raises:
        Unusable: Git failed.
    """
    done = subprocess.run(["git", *arguments], cwd=at, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unusable(f"git {arguments[0]}: {done.stderr.strip()[-200:]}")
    return done.stdout


def clone_of(repo: str, clones: Path, cache: Path) -> Path:
    """Return a work tree of our own of a repository, made from the folder of clones if there is none.

    Raises:
        Unusable: There is no clone of the repository.
    """
    owner, _, name = repo.partition("/")
    work = cache / f"{owner}+{name}"
    if (work / ".git").is_dir():
        return work
    places = [clones / each / inner for each in (f"{owner}+{name}", repo, name) for inner in ("", ".git", "repo")]
    source = next((each for each in places if (each / "HEAD").is_file() or (each / ".git").is_dir()), None)
    if source is None:
        raise Unusable(f"there is no clone of {repo} in {clones}")
    cache.mkdir(parents=True, exist_ok=True)
    git("clone", "--quiet", str(source), str(work), at=cache)
    with (work / ".git/info/exclude").open("a", encoding="utf-8") as ignored:
        ignored.write("\n.venv/\n*.egg-info/\n")
    return work


def check_out(fix: Fix, clone: Path) -> Case:
    """Check a fix's commit out and return the case; the file has the fixed text.

    Raises:
        Unusable: The function is not in both versions, or is the same in both.
    """
    git("checkout", "--quiet", "--force", fix.commit, at=clone)
    git("clean", "--quiet", "-fd", "-e", "_version.py", at=clone)  # which installing has written
    fixed = (clone / fix.file).read_text(encoding="utf-8")
    before = fix.change.applied(fixed) if fix.change else git("show", f"{fix.commit}^:{fix.file}", at=clone)
    try:
        there, here = (find_target(text, ByName(fix.function), path=fix.file) for text in (fixed, before))
        new, old = there.span, here.span
        kept = face(fixed, there) == face(before, here)
    except (TargetNotFound, BadSource) as error:
        raise Unusable(f"the function is not in both versions: {error}") from error
    if not kept:
        raise Unusable("it changes parameters, decorators or docstring examples, which candidates have to keep")
    fixed_source, broken_source = fixed[new.start : new.end], before[old.start : old.end]
    broken = fixed[: new.start] + broken_source + fixed[new.end :]
    if same_code(fixed, broken):
        raise Unusable("the function is the same in both versions")
    return Case(fix, clone, fixed, broken, fixed_source, broken_source)


def face(text: str, target: Target) -> list[str]:
    """Return what candidates for a target keep: its kind, parameters, annotations, decorators and examples."""
    definition = definition_of(text, target)
    if definition is None:
        raise Unusable("the function is not found in its file")
    node = definition.node
    parts = [node.args, *([node.returns] if node.returns is not None else []), *node.decorator_list]
    given = [f"{each.source} {each.expected}" for each in examples(target, text)]
    return [type(node).__name__, *map(ast.dump, parts), *given]


def same_code(one: str, other: str) -> bool:
    """True if two texts have the same syntax tree; False if one does not parse."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return False
