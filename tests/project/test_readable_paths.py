"""The paths of an interpreter that runs may read: all it needs, and nothing of the user's own."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.project.interpreter import readable_places
from certo.project.interpreter_probe import Probed, probe, spellings_of
from support.projects.environments import make_environment

PARTS = st.sampled_from(["one", "two", "three"])
PLACES = st.lists(PARTS, max_size=5).map(lambda parts: Path("/no-such-place", *parts))


@given(places=st.lists(PLACES), root=PLACES)
def test_places_are_minimal_ordered_and_never_wide(places: list[Path], root: Path) -> None:
    shown = readable_places(spellings_of(Path("/no-such-place/bin/python"), [*places, Path("/")]), root)
    assert len(set(shown)) == len(shown)
    assert not any(one != other and one.is_relative_to(other) for one in shown for other in shown)
    assert not any(place.is_relative_to(root) for place in shown)
    for place in places:
        assert place.is_relative_to(root) or any(place.is_relative_to(outer) for outer in shown)


def test_home_and_root_are_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "project" / "src").mkdir(parents=True)
    (home / "tool" / "bin").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    places = [Path("/"), tmp_path, home, home / "project", home / "project" / "src", home / "tool" / "bin"]
    spellings = spellings_of(home / "tool" / "bin" / "python", places)
    assert readable_places(spellings, home / "project") == (home / "tool" / "bin",)


def test_every_link_to_the_program_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
    (tmp_path / "third" / "python").touch()
    (tmp_path / "second" / "python").symlink_to("../third/python")
    (tmp_path / "first" / "python").symlink_to(tmp_path / "second" / "python")
    shown = readable_places(spellings_of(tmp_path / "first" / "python", []), tmp_path / "project")
    assert shown == tuple(tmp_path / name for name in ("first", "second", "third"))


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a").symlink_to("b")
    (tmp_path / "one" / "b").symlink_to("a")
    assert readable_places(spellings_of(tmp_path / "one" / "a", []), Path("/elsewhere")) == (tmp_path / "one",)


async def test_a_real_interpreter_needs_only_these_paths(tmp_path: Path) -> None:
    python = make_environment(tmp_path / "env", "pytest==8.0.0")
    found = await probe(python)
    assert isinstance(found, Probed)
    shown = readable_places(found.spellings, tmp_path / "project")
    program = (
        "import json, ssl, sqlite3, pytest, sys\n"
        "print(*[module.__file__ for module in list(sys.modules.values()) if getattr(module, '__file__', None)])"
    )
    loaded = (await anyio.run_process([python, "-E", "-c", program])).stdout.decode().split()
    assert len(loaded) > 10
    assert [file for file in loaded if not any(Path(file).is_relative_to(place) for place in shown)] == []
    assert any(place.is_relative_to(sys.base_prefix) or Path(sys.base_prefix).is_relative_to(place) for place in shown)
