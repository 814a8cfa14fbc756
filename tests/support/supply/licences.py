"""The page of licences; as a program it writes the page anew.

A package that is not installed here in the locked version, for instance one for Windows, keeps its licence on the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement

from support.documents.pages import ROOT
from support.reference.markdown import table
from support.supply.locked import LOCKS, bundled, is_locked_version, locked

PAGE = ROOT / "docs" / "reference" / "licences.md"
UNKNOWN = "unknown"

FREE = frozenset(
    ["MIT", "BSD-2-Clause", "BSD-3-Clause", "BSD", "Apache-2.0", "PSF-2.0", "MPL-2.0", "ISC", "BlueOak-1.0.0"]
)
"""Licences that a package may have which is installed with certo or is part of the extension."""

_NAMES = {
    "MIT License": "MIT",
    "Expat license": "MIT",
    "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "PSF": "PSF-2.0",
    "PSFL": "PSF-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0",
}
_SPDX = re.compile(r"[\w.-]+(?: (?:OR|AND) [\w.-]+)*")
_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)

_INTRODUCTION = """\
certo is published under the [Apache License 2.0](../../LICENSE). This page lists every package in its
[lock files](../decisions/0011-lock-for-workflows.md), with the licence that the package's own metadata gives.
`make lock` writes it. A test compares the names with the lock files, and each licence with the package if the locked
version is installed. These are for other systems than Linux, and their licences are kept by hand: {by_hand}."""

_SECTIONS = {
    "Installed with certo, or needed to build it": "certo",
    "For its extras, for development and for the documents": "dev",
    "To lock and to audit": "supply",
    "For the tests with a real engine for language models": "models",
}
_BUNDLE = "In the extension for VS Code"
_BUNDLED = "Their code is part of the extension; their licence texts are in its file `dist/LICENCES.txt`."


def spdx(metadata: Distribution) -> str:
    """Return the licence of an installed package, by its SPDX name if the metadata says which."""
    said = metadata.metadata.get_all("License-Expression") or metadata.metadata.get_all("License") or []
    named = [_NAMES.get(text, text) for text in said]
    if named and named[0] != "UNKNOWN" and _SPDX.fullmatch(named[0]):
        return named[0]
    classes = [
        line.rpartition(":: ")[2] for line in metadata.metadata.get_all("Classifier") or [] if "License ::" in line
    ]
    return " OR ".join(sorted({_NAMES[line] for line in classes if line in _NAMES})) or UNKNOWN


def sections() -> Mapping[str, tuple[str, ...]]:
    """Return the packages of Python by the heading below which they stand, each named once."""
    found: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for title, name in _SECTIONS.items():
        found[title] = tuple(sorted(set(locked(LOCKS[name])) - seen))
        seen.update(found[title])
    return found


def listed(text: str) -> Mapping[str, str]:
    """Return the licences on a page by package."""
    return {name: licence for name, licence in _ROW.findall(text) if name not in ("package", "---")}


def requirements() -> Mapping[str, Requirement]:
    """Return what is locked of each package."""
    return {name: requirement for file in LOCKS.values() for name, (requirement, _) in locked(file).items()}


def installed(*, locked_only: bool = True) -> Mapping[str, str]:
    """Return the licences of the locked packages that are installed here, on request in other versions too."""
    found = {}
    for name, requirement in requirements().items():
        try:
            here = distribution(name)
        except PackageNotFoundError:
            continue
        if not locked_only or is_locked_version(requirement, here.version):
            found[name] = spdx(here)
    return found


def by_hand() -> tuple[str, ...]:
    """Return the packages that no Python on Linux installs, so that nothing here can say which licence they have."""
    linux = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    supported = [
        {**linux, "python_version": f"3.{minor}", "python_full_version": f"3.{minor}.0"} for minor in range(11, 15)
    ]
    return tuple(
        name
        for name, requirement in sorted(requirements().items())
        if requirement.marker and not any(requirement.marker.evaluate(dict(python)) for python in supported)
    )


def from_npm() -> Mapping[str, str]:
    """Return the licences of the packages whose code is in the extension."""
    names = ((path.rpartition("node_modules/")[2], about) for path, about in bundled().items())
    return {name: str(about.get("license", UNKNOWN)) for name, about in sorted(names, key=lambda named: named[0])}


def licences_page(before: str) -> str:
    """Return the text of the page; `before` is what it said."""
    parts = ["# Licences", _INTRODUCTION.format(by_hand=", ".join(by_hand()))]
    known = {**installed(locked_only=False), **listed(before), **installed()}
    for title, names in sections().items():
        parts += [f"## {title}", table(("package", "licence"), [(name, known.get(name, UNKNOWN)) for name in names])]
    parts += [f"## {_BUNDLE}", _BUNDLED, table(("package", "licence"), from_npm().items())]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(licences_page(PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""), encoding="utf-8")
