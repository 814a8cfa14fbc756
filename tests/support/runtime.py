"""A runtime for tests of the Python API: runs are confined by processes, in an environment with only pytest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from certo import CodeCache, Runtime
from support.projects.bare_environment import bare_python


def make_runtime(cache: Path | None = None, **fields: Any) -> Runtime:
    """Yield a runtime that keeps its results in `cache`, if given."""
    settings = {"sandbox.isolation": "process", "interpreter": str(bare_python())}
    return Runtime(settings=settings, cache=CodeCache(cache) if cache is not None else None, **fields)
