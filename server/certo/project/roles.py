"""What a file of a project is there for, by its path alone: package, tests, documents or configuration."""

from __future__ import annotations

from certo.project.testfiles import is_test_file

ROLES = ("package", "tests", "docs", "config", "other")
"""What a file can be there for, in the order in which it is told."""

_TESTS = frozenset({"test", "tests", "testing"})
_BOOKS = frozenset({"doc", "docs"})
_CONFIGURATION = frozenset({"makefile", "dockerfile", "setup.py", "noxfile.py", "conftest.py"})
_CONFIGURATION_ENDINGS = (".toml", ".cfg", ".ini", ".yaml", ".yml", ".json", ".lock")
_DOCUMENT_ENDINGS = (".md", ".rst", ".txt")
_DOCUMENT_BEGINNINGS = ("license", "changelog", "readme")


def role_of(path: str) -> str:
    """What a file is there for, in a word of ROLES."""
    folder, _, name = path.lower().rpartition("/")
    folders = folder.split("/")
    if not _TESTS.isdisjoint(folders) or (name.endswith(".py") and is_test_file(path)):
        return "tests"
    if name in _CONFIGURATION or name.endswith(_CONFIGURATION_ENDINGS) or name.startswith("requirements"):
        return "config"
    if not _BOOKS.isdisjoint(folders) or name.endswith(_DOCUMENT_ENDINGS) or name.startswith(_DOCUMENT_BEGINNINGS):
        return "docs"
    return "package" if name.endswith(".py") else "other"
