"""The root of a project: nearest marker, within the workspace, never the whole home."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.project.root import MARKERS, choose_root, find_root, is_too_wide
from certo.vocabulary.errors import BadRequest


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


def document_in(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    document = directory / "code.py"
    document.write_text("x = 1\n")
    return document


@pytest.mark.parametrize("marker", MARKERS)
def test_the_nearest_marked_directory_is_the_root(home: Path, marker: str) -> None:
    outer, inner = home / "outer", home / "outer" / "inner"
    document = document_in(inner / "src" / "package")
    (outer / "pyproject.toml").touch()
    assert find_root(document) == outer
    (inner / marker).touch()
    assert find_root(document) == inner


def test_the_answer_says_which_marker_decided(home: Path) -> None:
    document = document_in(home / "p")
    (home / "p" / "tox.ini").touch()
    assert choose_root(document).why == "the nearest directory with a tox.ini"


def test_without_a_marker_the_documents_directory_counts(home: Path) -> None:
    document = document_in(home / "loose" / "scripts")
    assert find_root(document) == document.parent


def test_a_marker_in_home_makes_no_project(home: Path) -> None:
    (home / ".git").mkdir()
    document = document_in(home / "loose" / "deep")
    assert find_root(document) == document.parent
    assert find_root(document, [home]) == document.parent
    assert find_root(document_in(home), [home]) == home


def test_a_marker_above_home_makes_no_project(home: Path) -> None:
    (home.parent / ".git").mkdir()
    document = document_in(home.parent / "beside")
    assert find_root(document) == document.parent


def test_the_innermost_workspace_folder_bounds_the_search(home: Path) -> None:
    (home / "p").mkdir()
    (home / "p" / "pyproject.toml").touch()
    document = document_in(home / "p" / "src" / "pkg")
    assert find_root(document, [home / "p" / "src"]) == home / "p" / "src"
    assert find_root(document, [home / "p", home / "p" / "src" / "pkg"]) == document.parent
    assert find_root(document, [home / "p" / "src", home / "p"]) == home / "p" / "src"


def test_a_marker_below_the_folder_narrows_it(home: Path) -> None:
    document = document_in(home / "mono" / "packages" / "one" / "src")
    (home / "mono" / ".git").mkdir()
    (home / "mono" / "packages" / "one" / "setup.py").touch()
    assert find_root(document, [home / "mono"]) == home / "mono" / "packages" / "one"


def test_a_document_outside_every_folder_is_refused(home: Path) -> None:
    document = document_in(home / "elsewhere")
    (home / "elsewhere-not").mkdir()
    with pytest.raises(BadRequest, match=r"code\.py is outside the workspace folders \(.*elsewhere-not\); open its"):
        find_root(document, [home / "elsewhere-not"])


def test_an_unsaved_document_has_a_root(home: Path) -> None:
    (home / "p").mkdir()
    (home / "p" / "setup.cfg").touch()
    assert find_root(home / "p" / "new" / "unsaved.py") == home / "p"


def test_a_linked_folder_holds_the_document(home: Path) -> None:
    document = document_in(home / "real")
    (home / "link").symlink_to(home / "real")
    assert find_root(document, [home / "link"]) == home / "real"
    assert find_root(home / "link" / "code.py", [home / "link"]) == home / "link"
    assert find_root(home / "link" / "code.py", [home / "real"]) == home / "link"


def test_a_directory_linked_into_the_workspace_belongs(home: Path) -> None:
    """A symbolic link inside the workspace folder leads outside."""
    document_in(home / "elsewhere")
    (home / "p").mkdir()
    (home / "p" / "src").symlink_to(home / "elsewhere")
    assert find_root(home / "p" / "src" / "code.py", [home / "p"]) == home / "p"


def test_dots_do_not_escape_the_bounds(home: Path) -> None:
    """`..` is resolved before the bounds are checked."""
    document = document_in(home / "a")
    document_in(home / "b")
    with pytest.raises(BadRequest):
        find_root(home / "b" / ".." / "a" / document.name, [home / "b"])


@pytest.mark.parametrize("tests", ["tests/test_words.py", "test_words.py", "conftest.py"])
def test_tests_beside_a_package_decide_the_root(home, tests):
    """Without a marker the root is the directory that holds the package and its tests."""
    work = home / "work"
    module = document_in(work / "textkit" / "inner")
    for package in (module.parent, module.parent.parent):
        (package / "__init__.py").touch()
    assert choose_root(module).path == module.parent
    (work / tests).parent.mkdir(exist_ok=True)
    (work / tests).touch()
    root = choose_root(module)
    assert root.path == work
    assert root.why.endswith("its package is in this directory, beside tests")
    (module.parent.parent / "__init__.py").unlink()
    assert choose_root(module).path == module.parent


@pytest.mark.parametrize(
    ("inside", "outside", "is_outer"),
    [
        ("src/a.py", "tests/test_a.py", True),
        ("tests/test_a.py", "tests/test_a.py", False),
        ("src/test.py", "tests/test_a.py", False),
        ("src/a.py", "docs/a.py", False),
        (".git/HEAD", "tests/test_a.py", False),
    ],
    ids=["tests outside", "tests in both", "tests by another name", "no tests", "a repository of its own"],
)
def test_package_without_tests_belongs_to_its_repository(
    home: Path, inside: str, outside: str, *, is_outer: bool
) -> None:
    outer, inner = home / "mono", home / "mono" / "packages" / "a"
    document = document_in(inner / "src" / "a")
    for file in (outer / "pyproject.toml", inner / "pyproject.toml", outer / outside, inner / inside):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert find_root(document) == (outer if is_outer else inner)


@pytest.mark.parametrize("directory", ["/tmp", "/var/tmp"])
def test_shared_temporary_directories_are_no_project(directory: str) -> None:
    """A program may have left a `setup.py` there, which nobody but its author knows of."""
    assert is_too_wide(Path(directory))
    assert not is_too_wide(Path(directory) / "a")
