"""The memory of a repository is a map and claims with evidence, bounded, and the same for the same files."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.knowledge.repo_map import MAX_LINES, RepoMap, distance, nearest, take_map
from certo.knowledge.repo_memory import RepoMemory, within
from certo.project.configuration import Declared
from certo.project.listing import Listing
from certo.vocabulary.knowledge import SECTIONS, Claim, Listed, Outline, Quote, Symbol

pytestmark = pytest.mark.acceptance(64)

OUTLINES = {
    "shop/__init__.py": Outline(doc="A corner shop."),
    "shop/till.py": Outline(doc="Gives change.", symbols=(Symbol(name="change", shown="change(due)"),)),
    "shop/__main__.py": Outline(doc="Opens the shop."),
    "bank/loan.py": Outline(symbols=(Symbol(name="lend", shown="lend(sum)"),)),
    "tests/test_till.py": Outline(symbols=(Symbol(name="test_change", shown="test_change()"),)),
}
PATHS = sorted([*OUTLINES, "README.md", "pyproject.toml", "logo.png", "tests/conftest.py"])


def mapped(paths: Iterable[str], outlines: Mapping[str, Outline], declared: Declared | None = None) -> RepoMap:
    """The map of files of these paths."""
    listing = Listing(files=tuple(Listed(path=path, size=1, changed=1) for path in paths))
    return anyio.run(take_map, listing, outlines, declared or Declared())


MAP = mapped(
    PATHS,
    OUTLINES,
    Declared(oldest=(3, 11), distributions=("anyio",), scripts=(("shop", "shop:run"),), test_paths=("tests",)),
)
CLAIM = Claim(
    key="k",
    section="gotchas",
    text="`change` loops for ever\non 0",
    search="5eac",
    quotes=(Quote(path="shop/till.py", text="while due:"),),
)
MEMORY = RepoMemory(map=MAP, claims=(CLAIM,))


def test_sections_have_lessons_before_file_facts() -> None:
    assert MEMORY.section("gotchas") == ("`change` loops for ever on 0 [shop/till.py: while due:]",)
    assert MEMORY.section("entrypoints") == (
        "the command shop calls shop:run",
        "shop/__main__.py can be run: Opens the shop.",
    )
    assert MEMORY.section("testing") == (
        "pytest looks in tests",
        "tests/ has 2 files of tests",
        "tests/conftest.py has what tests share",
    )
    assert MEMORY.section("dependencies") == ("Python 3.11 or newer", "anyio")
    assert "shop/ (3 package): A corner shop." in MEMORY.section("architecture")
    with pytest.raises(KeyError):
        MEMORY.section("weather")


def test_near_files_come_first() -> None:
    modules = [line for line in MEMORY.section("architecture", near="bank/loan.py") if ".py" in line]
    assert modules[0] == "bank/loan.py | lend(sum)"
    assert nearest(["a/b/c.py", "a/x.py", "a/b/d.py", "z.py"], "a/b/d.py") == ["a/b/d.py", "a/b/c.py", "a/x.py", "z.py"]
    assert [distance(folder, "a/b/d.py") for folder in ("a/b", "a", "", "a/c")] == [0, 1, 2, 2]


def test_a_summary_names_contents_and_counts() -> None:
    first, second, *_ = MEMORY.summary().splitlines()
    assert first == "9 files: 4 package, 2 tests, 1 docs, 1 config, 1 other"
    assert second == "sections, and lines in each: architecture 8, entrypoints 2, testing 3, gotchas 1, dependencies 2"


paths = st.lists(
    st.from_regex(r"([a-c]/){0,3}[a-z_]{1,12}\.(py|md|toml|png)", fullmatch=True), unique=True, max_size=60
)
claims = st.lists(
    st.builds(
        Claim,
        key=st.uuids().map(str),
        section=st.sampled_from(list(SECTIONS)),
        text=st.text(min_size=1, max_size=400).filter(str.strip),
        search=st.just("5eac"),
    ),
    max_size=20,
)


@given(paths, claims, st.integers(min_value=0, max_value=3000), st.sampled_from(["", "a/b/x.py"]), st.randoms())
def test_summaries_are_bounded_and_repeatable(
    found: list[str], known: list[Claim], room: int, near: str, luck: random.Random
) -> None:
    outlines = {path: Outline(doc=path * 9) for path in found if path.endswith(".py")}
    memory = RepoMemory(map=mapped(sorted(found), outlines), claims=tuple(known))
    text = memory.summary(room, near)
    assert len(text) <= room
    shuffled = dict(luck.sample(sorted(outlines.items()), len(outlines)))
    other = RepoMemory(map=mapped(sorted(found), shuffled), claims=tuple(known))
    assert other.summary(room, near) == text
    for name in SECTIONS:
        lines = memory.section(name, near)
        assert len(lines) <= MAX_LINES + 1 + len(known)
        assert all("\n" not in line for line in lines)


@given(st.integers(min_value=0, max_value=200), st.lists(st.text(max_size=50)))
def test_lines_are_left_out_whole(room: int, lines: list[str]) -> None:
    text = within(room, lines)
    assert len(text) <= room
    assert all(line in lines for line in text.split("\n") if line and "\n" not in "".join(lines))
