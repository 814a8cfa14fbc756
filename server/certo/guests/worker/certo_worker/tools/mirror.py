"""Mirror of a project with other texts in place of some files, for tools that only read files: the rest are links."""

from __future__ import annotations

import os
import tempfile
from typing import Dict, Set


class Mirror:
    """A directory that looks like the current one, except for `texts`, by relative path."""

    def __init__(self, texts: Dict[str, str]) -> None:
        self.root = tempfile.mkdtemp()
        own = {""}
        for path in texts:
            folder = os.path.dirname(path)
            while folder:
                own.add(folder)
                folder = os.path.dirname(folder)
        for folder in sorted(own):
            self._fill(folder, own.union(texts))
        for path, text in texts.items():
            self.write(path, text)

    def write(self, path: str, text: str) -> None:
        """Write a text to one of the files that are not links."""
        with open(os.path.join(self.root, path), "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))

    def _fill(self, folder: str, own: Set[str]) -> None:
        os.makedirs(os.path.join(self.root, folder), exist_ok=True)
        there = os.path.abspath(folder or ".")
        for name in os.listdir(there) if os.path.isdir(there) else ():
            if os.path.join(folder, name) not in own:
                os.symlink(os.path.join(there, name), os.path.join(self.root, folder, name))
