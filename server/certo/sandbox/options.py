"""The sandbox's own options."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Literal

from certo.sandbox.executor import Limits

Isolation = Literal["auto", "bubblewrap", "process"]
"""`auto` takes the strongest that works here; the other two insist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """How untrusted code is run: how strongly apart, how much of it at once (`slots`), and within which limits."""

    isolation: Isolation = "auto"
    limits: Limits = field(default_factory=Limits)
    slots: int = max(1, (os.cpu_count() or 1) - 1)
