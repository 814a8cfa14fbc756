"""Gives the package a README whose links lead to the repository: on PyPI there are no files beside it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(?<=\]\()(?![a-z]+:|#)[^)\s]+")
_PICTURES = (".svg", ".png")


def published(text: str, repository: str, version: str) -> str:
    """Return a page with whole addresses of what this version has in its repository."""

    def address(link: re.Match[str]) -> str:
        if link[0].endswith(_PICTURES):
            return f"https://raw.githubusercontent.com/{repository}/v{version}/{link[0]}"
        return f"https://github.com/{repository}/blob/v{version}/{link[0]}"

    return _RELATIVE.sub(address, text)


class ReadmeHook(MetadataHookInterface):
    """What hatchling asks for the parts of the metadata that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README."""
        root = Path(self.root)
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        text = published(
            (root / "README.md").read_text(encoding="utf-8"), project["tool"]["repository"]["name"], metadata["version"]
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
