"""Settings of the sandbox."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from certo.sandbox.executor import Limits
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

_ADDRESS = re.compile(r"(tcp|tls)://[^/\s]+:\d+")

Isolation = Literal["auto", "bubblewrap", "process"]
"""`auto` takes the strongest isolation that works here; the other two insist on one."""

_OUT_OF_THE_SANDBOX = "take its own code out of the sandbox"
_OTHER_MACHINES = "choose the machines your files are sent to"


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """Settings for running untrusted code: how it is confined, how many runs at once, and the limits of each.

    `slots` that is None stands for the number of processors, less one of three or more while an editor is attached; the
    caller, who knows about editors, fills that in. There is no time limit here: how long a run may take depends on its
    purpose.
    """

    isolation: Isolation = option(
        "auto",
        "`auto` takes the strongest isolation that works on this machine. `bubblewrap` and `process` (Landlock and "
        "seccomp, or Seatbelt, without namespaces) require that one. A project's file may not choose `process`.",
        owner="user",
        reserved=_OUT_OF_THE_SANDBOX,
        project_may=lambda isolation: isolation != "process",
    )
    allow_unsandboxed: bool = option(
        False,
        "If nothing can confine a candidate, run it anyway instead of refusing. A project's file may not turn this on.",
        owner="user",
        reserved=_OUT_OF_THE_SANDBOX,
        project_may=lambda allowed: allowed is not True,
    )
    slots: int | None = option(
        None,
        "Runs at the same time. Not set: one for each processor, less one of three or more while an editor is "
        "attached.",
        at_least=1,
    )
    memory_mebibytes: int = option(2048, "The most memory that one run may use, in MiB.", at_least=1)
    processes: int = option(64, "The most processes that one run may have at the same time.", at_least=1)
    file_mebibytes: int = option(64, "The largest file that a run may write, in MiB.", at_least=1)
    output_mebibytes: int = option(16, "The most output that a run may print, in MiB.", at_least=1)

    def __post_init__(self) -> None:
        check_bounds(self, "sandbox")

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
    """The place where untrusted code runs: this machine, the workers of a dask scheduler, or a plug-in's choice."""

    plugin: str = option(
        "",
        "An executor from an installed package (entry points `certo.executors`), by name or as `module:attribute`, "
        "instead of the sandbox of this machine.",
        owner="user",
        reserved=_OTHER_MACHINES,
    )
    cluster: str | None = option(
        None,
        "The address of a dask scheduler, such as `tcp://host:8786`, whose workers run candidates and tests. Not set: "
        "they run on this machine.",
        owner="user",
        reserved=_OTHER_MACHINES,
    )
    tls_ca: str | None = option(
        None,
        "For a scheduler with TLS: the PEM file with the certificates to trust.",
        owner="user",
        reserved=_OTHER_MACHINES,
    )
    tls_cert: str | None = option(
        None,
        "For a scheduler with TLS: the PEM file with certo's own certificate.",
        owner="user",
        reserved=_OTHER_MACHINES,
    )
    tls_key: str | None = option(
        None,
        "For a scheduler with TLS: the PEM file with the key of that certificate.",
        owner="user",
        reserved=_OTHER_MACHINES,
    )

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
