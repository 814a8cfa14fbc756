"""The sandbox's own options."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from certo.sandbox.executor import Limits

Isolation = Literal["auto", "bubblewrap", "process"]
"""`auto` takes the strongest that works here; the other two insist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """How untrusted code is run: how strongly apart, how much of it at once (`slots`), and how much it may use.

    `slots` not set stands for as many as there are processors, less one while an editor is attached, which is for
    whoever knows of the editor to fill in. `allow_unsandboxed` runs it all the same where nothing here can confine it.

    Time is not among them: how long a run may take depends on what it is for.
    """

    isolation: Isolation = "auto"
    allow_unsandboxed: bool = False
    slots: int | None = None
    memory_mebibytes: int = 2048
    processes: int = 64
    file_mebibytes: int = 64
    output_mebibytes: int = 16

    def __post_init__(self) -> None:
        for name in ("slots", "memory_mebibytes", "processes", "file_mebibytes", "output_mebibytes"):
            if (amount := getattr(self, name)) is not None and amount < 1:
                raise ValueError(f"sandbox.{name} must be at least 1, not {amount}")

    def capped(self, limits: Limits) -> Limits:
        """The limits of a run, each brought down to what is allowed here."""
        return replace(
            limits,
            memory_mebibytes=min(limits.memory_mebibytes, self.memory_mebibytes),
            processes=min(limits.processes, self.processes),
            file_mebibytes=min(limits.file_mebibytes, self.file_mebibytes),
            output_mebibytes=min(limits.output_mebibytes, self.output_mebibytes),
        )
