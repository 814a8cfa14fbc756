"""The packages that the lock files list: those of Python, and those whose code is in the extension's bundle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.documents.pages import ROOT

LOCKS = {name: ROOT / ".ci" / "locked" / f"{name}.txt" for name in ("certo", "dev", "models", "supply")}
"""The lock files: what certo needs to be built and to run, what developers need, what makes a model, what audits."""

_IMPORTED = re.compile(r"""from "((?:@[\w.-]+/)?[\w.-]+)""")


def locked(file: Path) -> Mapping[str, tuple[Requirement, int]]:
    """Return each requirement of a lock file by its package, with the number of its hashes."""
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line.split("--hash=sha256:") for line in text.splitlines() if line and not line.startswith("#"))
    required = [(Requirement(line[0].strip()), len(line) - 1) for line in lines]
    return {canonicalize_name(requirement.name): (requirement, hashes) for requirement, hashes in required}


def is_locked_version(requirement: Requirement, version: str) -> bool:
    """True if a package of this version is the one that is locked, whose metadata may differ from others'."""
    return requirement.specifier.contains(version, prereleases=True)


def npm_lock() -> Mapping[str, Mapping[str, Any]]:
    """Return what `package-lock.json` says of each package by its path, such as `node_modules/semver`."""
    text = (ROOT / "vscode-client" / "package-lock.json").read_text(encoding="utf-8")
    return json.loads(text)["packages"]


def bundled() -> Mapping[str, Mapping[str, Any]]:
    """Return the locked npm packages whose code the extension may carry: its imports, and what they need."""
    packages = npm_lock()
    sources = (ROOT / "vscode-client" / "src").rglob("*.ts")
    imported = {name for source in sources for name in _IMPORTED.findall(source.read_text(encoding="utf-8"))}
    wanted = [f"node_modules/{name}" for name in sorted(imported & set(packages[""]["devDependencies"]))]
    found: dict[str, Mapping[str, Any]] = {}
    while wanted:
        path = wanted.pop()
        if path not in found:
            found[path] = packages[path]
            wanted += [_path(path, name, packages) for name in packages[path].get("dependencies", {})]
    return found


def _path(of: str, name: str, packages: Mapping[str, object]) -> str:
    """Return the path at which Node.js finds a package that the package at `of` needs."""
    return next(path for path in _places(of, name) if path in packages)


def _places(of: str, name: str) -> Iterator[str]:
    while of:
        yield f"{of}/node_modules/{name}"
        of = of.rpartition("/node_modules/")[0]
    yield f"node_modules/{name}"
