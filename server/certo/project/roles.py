"""What a file of a project is there for, by its path alone: package, tests, documents or configuration."""

from __future__ import annotations

from fnmatch import fnmatch

from certo.project.testfiles import is_test_file

_DOCUMENTS = ("*.md", "*.rst", "*.txt", "license*", "changelog*")
_CONFIGURATION = (
    "*.toml", "*.cfg", "*.ini", "*.yaml", "*.yml", "*.json", "makefile", "dockerfile", "tox.ini", "setup.py",
    "noxfile.py", "*.lock", "requirements*.txt", "conftest.py",
)  # fmt: skip
_TESTS = frozenset({"test", "tests", "testing"})
_BOOKS = frozenset({"doc", "docs"})


def role_of(path: str) -> str:
    """What a file is there for, in one word: "package", "tests", "docs", "config", or "" for all else."""
    *folders, name = path.lower().split("/")
    if is_test_file(path) or _TESTS & set(folders):
        return "tests"
    if any(fnmatch(name, pattern) for pattern in _CONFIGURATION):
        return "config"
    if _BOOKS & set(folders) or any(fnmatch(name, pattern) for pattern in _DOCUMENTS):
        return "docs"
    return "package" if name.endswith(".py") else ""
