"""Settings of the sandbox."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from certo.sandbox.executor import Limits

_ADDRESS = re.compile(r"(tcp|tls)://[^/\s]+:\d+")

Isolation = Literal["auto", "bubblewrap", "process"]
"""`auto` takes the strongest isolation that works here; the other two insist on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """Settings for running untrusted code: how it is confined, how many runs at once (`slots`), and limits.

    `slots` defaults to the number of processors, less one while an editor is attached; the caller, who knows about
    editors, fills that in. `allow_unsandboxed` runs code even where nothing here can confine it.

    There is no time limit among them: how long a run may take depends on its purpose.
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
        """Return the limits of a run, each lowered to the maximum allowed here."""
        return replace(
            limits,
            memory_mebibytes=min(limits.memory_mebibytes, self.memory_mebibytes),
            processes=min(limits.processes, self.processes),
            file_mebibytes=min(limits.file_mebibytes, self.file_mebibytes),
            output_mebibytes=min(limits.output_mebibytes, self.output_mebibytes),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorOptions:
    """The place where untrusted code runs: this machine, or the workers of the dask scheduler at `cluster`.

    `tls_ca`, `tls_cert` and `tls_key` are PEM files for a scheduler reached by TLS: the authority to trust, and our own
    certificate and key. `plugin` names an executor from an entry point that replaces both.
    """

    plugin: str = ""
    cluster: str | None = None
    tls_ca: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None

    def __post_init__(self) -> None:
        files = (self.tls_ca, self.tls_cert, self.tls_key)
        if any(files) != all(files):
            raise ValueError("executor.tls_ca, executor.tls_cert and executor.tls_key belong together: set all or none")
        if self.cluster is None:
            return
        if self.plugin:
            raise ValueError("executor.plugin and executor.cluster are two places to run code at; set one of them")
        if not _ADDRESS.fullmatch(self.cluster):
            raise ValueError(
                f"executor.cluster must be the address of a dask scheduler, as tcp://host:8786, not {self.cluster!r}"
            )
        if self.cluster.startswith("tls:") and not all(files):
            raise ValueError(f"executor.cluster = {self.cluster!r} needs executor.tls_ca, tls_cert and tls_key")
