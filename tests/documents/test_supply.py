"""What comes from others is locked with hashes, has a listed licence, and is asked about at PyPI."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.documents.pages import ROOT
from support.supply.audit import verdict
from support.supply.licences import FREE, PAGE, UNKNOWN, from_npm, installed, licences_page, listed, sections, spdx
from support.supply.locked import LOCKS, bundled, locked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = {
    "certo": ("build",),
    "dev": ("build", "dev", "docs", "packages"),
    "models": ("models",),
    "supply": ("supply",),
}
APART = ("models", "supply")
"""Lock files of what is needed beside certo, not for it."""


def declared(lock: str) -> Iterator[Requirement]:
    """Yield what pyproject.toml asks for in a lock file's groups, and, unless it stands apart, for certo itself."""
    texts = [text for group in GROUPS[lock] for text in PROJECT["dependency-groups"][group] if isinstance(text, str)]
    if lock not in APART:
        texts += PROJECT["project"]["dependencies"]
    if lock == "dev":
        texts += [text for extra in PROJECT["project"]["optional-dependencies"].values() for text in extra]
    return map(Requirement, texts)


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_files_fit_what_is_declared(lock: str) -> None:
    """Each declared package is locked at an allowed version: otherwise `make lock` was forgotten."""
    kept = locked(LOCKS[lock])
    for wanted in declared(lock):
        requirement, _ = kept[canonicalize_name(wanted.name)]
        [pin] = requirement.specifier
        assert pin.operator == "=="
        assert wanted.specifier.contains(pin.version), wanted


@pytest.mark.parametrize("lock", LOCKS)
def test_each_locked_package_has_hashes(lock: str) -> None:
    kept = locked(LOCKS[lock])
    assert kept
    assert [name for name, (_, hashes) in kept.items() if hashes == 0] == []


@pytest.mark.parametrize("lock", [name for name in LOCKS if name != "dev"])
def test_lock_files_agree_with_each_other(lock: str) -> None:
    """They are installed into one environment, in which developers have all that users have."""
    these, dev = locked(LOCKS[lock]), locked(LOCKS["dev"])
    assert lock in APART or these.keys() <= dev.keys()
    differ = {name for name in these.keys() & dev.keys() if these[name][0].specifier != dev[name][0].specifier}
    assert differ == set()


def test_the_page_of_licences_is_complete() -> None:
    names = [name for names in sections().values() for name in names]
    text = PAGE.read_text(encoding="utf-8")
    assert listed(text).keys() == {*names, *from_npm()}, "write it anew: make lock"
    assert licences_page(text) == text, "write it anew: make lock"


def test_listed_licences_are_those_of_installed_packages() -> None:
    kept = listed(PAGE.read_text(encoding="utf-8"))
    here = installed()
    assert {"anyio", "pytest", "rich"} <= set(installed(locked_only=False))
    assert {name: licence for name, licence in here.items() if kept[name] != licence} == {}
    assert {name: kept[name] for name in from_npm()} == from_npm()


def test_users_get_free_licences_only() -> None:
    kept = listed(PAGE.read_text(encoding="utf-8"))
    assert UNKNOWN not in kept.values()
    for name in (*locked(LOCKS["certo"]), *from_npm()):
        assert set(re.split(r" (?:OR|AND) ", kept[name])) <= FREE, name


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        ("License-Expression: MIT OR Apache-2.0", "MIT OR Apache-2.0"),
        ("License: Expat license", "MIT"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: the whole text of it\nClassifier: License :: OSI Approved :: BSD License", "BSD"),
        ("Name: x", UNKNOWN),
    ],
)
def test_a_licence_has_its_short_name(lines: str, licence: str, tmp_path: Path) -> None:
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\n{lines}\n", encoding="utf-8")
    assert spdx(PathDistribution(tmp_path)) == licence


def test_code_in_the_extension_is_locked() -> None:
    """Here for what it imports; the extension's own tests look at what its bundle has."""
    packages = bundled()
    assert "node_modules/vscode-languageclient" in packages
    assert [path for path, about in packages.items() if not about.get("integrity")] == []


SOUND = {"name": "anyio", "version": "4.16.0", "vulns": []}
WEAK = {"name": "h11", "version": "0.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["0.2"]}]}
UNLISTED = {"name": "idna", "skip_reason": "Dependency not found on PyPI and could not be audited: idna (3.20)"}


@pytest.mark.parametrize(
    ("packages", "codes", "says"),
    [
        ([SOUND], (0, 0), "no weakness is known of 1 packages"),
        ([SOUND, WEAK], (1, 1), "h11 0.1: PYSEC-1, fixed in 0.2"),
        ([WEAK, UNLISTED], (1, 1), "PYSEC-1"),
        ([SOUND, UNLISTED], (0, 1), "skipped, because the package index has no advisories for 1 of 2"),
        (None, (0, 1), "skipped, because PyPI cannot be asked: ProxyError: refused"),
    ],
)
def test_an_audit_says_what_is_known(packages: list[object] | None, codes: tuple[int, int], says: str) -> None:
    """What cannot be asked is skipped with the reason, and is a failure in a workflow."""
    answer = "" if packages is None else json.dumps({"dependencies": packages})
    for must, code in zip((False, True), codes, strict=True):
        got, said = verdict(answer, "Traceback …\nProxyError: refused", must=must)
        assert got == code
        assert says in said
