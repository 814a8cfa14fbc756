"""A function of a small module, as the subject of comparisons and tests."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from certo.behaviour.subject import Subject
from certo.edits.target import ByName, find_target
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from support.projects.bare_environment import bare_interpreter


def subject_of(root: Path, source: str, name: str, tests: tuple[str, ...] = ()) -> Subject:
    """Write a module, and return its function as the subject."""
    text = dedent(source)
    (root / "till.py").write_text(text, encoding="utf-8")
    return Subject(
        root=root,
        path="till.py",
        text=text,
        target=find_target(text, ByName(name), path="till.py"),
        executor=LocalExecutor(SandboxOptions()),
        interpreter=bare_interpreter(),
        tests=tests,
    )
