"""A runtime for tests of the Python API: confined by processes, under an environment with pytest and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from certo import CodeCache, Runtime
from support.projects.bare_environment import bare_python


def make_runtime(cache: Path | None = None, **fields: Any) -> Runtime:
    """A runtime that keeps what it builds in `cache`, if anywhere."""
    settings = {"sandbox.isolation": "process", "interpreter": str(bare_python())}
    return Runtime(settings=settings, cache=CodeCache(cache) if cache is not None else None, **fields)
