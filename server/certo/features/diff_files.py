"""Diffs as files that an editor can open, in a private directory that ends with the session."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import anyio


class DiffFiles:
    """The session's diff files, in a directory nobody else can read; `keep` removes it in the end."""

    def __init__(self) -> None:
        self._home: Path | None = None

    async def keep(self) -> None:
        """Wait for the end of the session and remove what was written."""
        try:
            await anyio.sleep_forever()
        finally:
            if self._home is not None:
                shutil.rmtree(self._home, ignore_errors=True)

    def write(self, title: str, diff: str) -> Path:
        """Write a diff into the file of that title, and return its path."""
        if self._home is None:
            self._home = Path(tempfile.mkdtemp(prefix="certo-diff-"))
        path = self._home / (re.sub(r"[^\w.-]+", "_", title) + ".diff")
        path.write_bytes(diff.encode("utf-8", "surrogatepass"))
        return path
