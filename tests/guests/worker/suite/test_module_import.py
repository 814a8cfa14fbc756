"""The names under which a file of the project may be imported."""

from __future__ import annotations

from pathlib import Path

from certo_worker.suite.module_import import names_of
from support.projects.projects import write_project


def names(root: Path, path: str) -> list[tuple[str, str]]:
    pairs = names_of(str(root / path), str(root))
    return [(str(Path(directory).relative_to(root)), name) for directory, name in pairs]


def test_packages_are_imported_from_above_the_topmost(tmp_path: Path) -> None:
    write_project(tmp_path, {"src/a/__init__.py": "", "src/a/b/__init__.py": "", "src/a/b/c.py": ""})
    assert names(tmp_path, "src/a/b/c.py") == [("src", "a.b.c"), (".", "src.a.b.c")]
    assert names(tmp_path, "src/a/b/__init__.py")[0] == ("src", "a.b")


def test_plain_file_comes_before_namespace_package(tmp_path: Path) -> None:
    write_project(tmp_path, {"space/part.py": ""})
    assert names(tmp_path, "space/part.py") == [("space", "part"), (".", "space.part")]


def test_what_is_no_identifier_has_no_name(tmp_path: Path) -> None:
    write_project(tmp_path, {"my-scripts/run-me.py": "", "my-scripts/fine.py": ""})
    assert names(tmp_path, "my-scripts/run-me.py") == []
    assert names(tmp_path, "my-scripts/fine.py") == [("my-scripts", "fine")]
