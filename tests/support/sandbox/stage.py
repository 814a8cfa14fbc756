"""A project, a worker program and this test's own interpreter, for runs of an executor."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Message, Policy, Program, Work
from certo.sandbox.process import process_table

OURS = Interpreter(
    executable=Path(sys.executable),
    version=sys.version_info[:3],
    readable=tuple(map(Path, {sys.prefix, sys.base_prefix})),
    why="it runs the tests",
)
"""The interpreter that runs the tests."""


@dataclass(frozen=True, kw_only=True)
class Heard:
    """The result of one run."""

    finished: Finished
    messages: list[Message] = field(default_factory=list)


class Stage:
    """A folder with a project in it and a place for worker programs."""

    def __init__(self, place: Path) -> None:
        self.root = place / "project"
        self.home = place / "programs"
        self.root.mkdir()
        self.home.mkdir()

    def write(self, files: Mapping[str, str]) -> None:
        """Write files of the project, by path relative to its root."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")

    def work(
        self,
        source: str,
        *,
        request: Mapping[str, Any] | None = None,
        overlay: Mapping[str, str | None] | None = None,
        protected: tuple[str, ...] = (),
        unprotected: tuple[str, ...] = (),
        interpreter: Interpreter = OURS,
        policy: Policy = Policy.STRICT,
        **limits: float,
    ) -> Work:
        """Return work for a program of this source; `limits` are the fields of Limits that matter."""
        program = self.home / "certo_program.py"
        # A worker that is being prepared may be reading it, and must not find half of it.
        if not program.is_file() or program.read_text(encoding="utf-8") != dedent(source):
            program.write_text(dedent(source), encoding="utf-8")
        return Work(
            program=Program(home=self.home, module="certo_program"),
            request=request or {},
            interpreter=interpreter,
            root=self.root,
            overlay={name: None if text is None else dedent(text) for name, text in (overlay or {}).items()},
            protected=protected,
            unprotected=unprotected,
            policy=policy,
            limits=Limits(**{"wall_seconds": 30.0, **limits}),  # type: ignore[arg-type]  # numbers, by name
        )

    async def run(self, executor: Executor, source: str, **how: Any) -> Heard:
        """Run a program of this source to its end."""
        messages: list[Message] = []
        finished = await executor.run(self.work(source, **how), messages.append)
        return Heard(finished=finished, messages=messages)

    def digest(self) -> str:
        """Return a digest of every file of the project: names, contents and times."""
        digest = hashlib.sha256()
        for path in sorted(self.root.rglob("*")):
            digest.update(f"{path.relative_to(self.root)} {path.stat().st_mtime_ns}\n".encode())
            if path.is_file():
                digest.update(path.read_bytes())
        return digest.hexdigest()


def living(argument: str) -> list[int]:
    """Return the living processes that were started with `argument`, anywhere on the machine."""
    found = []
    for process in process_table.process_table():
        try:
            words = Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if argument.encode() in words:
            found.append(process.pid)
    return found
