"""The program that runs beside the user's code, under the user's interpreter; certo only knows where it is."""

from __future__ import annotations

from pathlib import Path

WORKER_HOME = Path(__file__).resolve().parent
"""The directory to put on the user's `sys.path`; `certo_worker` is the only name in it."""
