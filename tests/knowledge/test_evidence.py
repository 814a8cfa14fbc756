"""A claim is believed as long as its quotation stands in its file, word for word, and the file may be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.knowledge.repo_memory import holding, holds
from certo.vocabulary.knowledge import Claim, Quote
from support.projects.projects import write_project

pytestmark = pytest.mark.acceptance(64)

TEXT = "def total(prices):\n    if not prices:\n        return 0\n    return sum(prices)\n"


def claim(*quotes: tuple[str, str]) -> Claim:
    made = tuple(Quote(path=path, text=text) for path, text in quotes)
    return Claim(key=str(quotes), section="gotchas", text="so it is", search="5eac", quotes=made)


async def test_what_is_quoted_has_to_be_there(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"shop.py": TEXT, "other.py": TEXT, "ignored.py": TEXT})
    (root / "link.py").symlink_to(root / "shop.py")
    good = [
        claim(),
        claim(("shop.py", "return sum(prices)")),
        claim(("shop.py", "if not prices:\n    return 0")),
        claim(("shop.py", "def total("), ("other.py", "return 0")),
        claim(("open.py", "unsaved = True")),
    ]
    bad = [
        claim(("shop.py", "return sum(price)")),
        claim(("shop.py", "def total("), ("other.py", "return 1")),
        claim(("ignored.py", "def total(")),
        claim(("link.py", "def total(")),
        claim(("gone.py", "def total(")),
        claim(("../shop.py", "def total(")),
        claim(("shop.py", "  \n ")),
    ]
    readable = ["shop.py", "other.py", "link.py", "gone.py", "open.py"]
    texts = {"open.py": "unsaved = True\n"}
    assert await holding([*bad, *good], root, readable, texts) == tuple(good)
    (root / "shop.py").write_text(TEXT.replace("sum", "fsum"))
    assert await holding(good, root, readable, texts) == (good[0], good[2], good[3], good[4])


@given(st.text(), st.text(max_size=20), st.text(min_size=1, max_size=60).filter(str.strip))
def test_texts_hold_exactly_their_own_excerpts(before: str, after: str, line: str) -> None:
    line = " ".join(line.split())
    quote = Quote(path="a.py", text=line)
    assert holds(quote, f"{before}\n   {line}\n{after}")
    assert holds(quote, before.replace(line, "")) is (
        line in "\n".join(x.strip() for x in before.replace(line, "").splitlines())
    )


PATHS = ("a.py", "b.py", "ignored.py")
LINES = ("x = 1", "def total(", "return 0", " ", "")
some_texts = st.dictionaries(st.sampled_from(PATHS), st.lists(st.sampled_from(LINES)).map("\n    ".join), max_size=3)
some_quotes = st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from([*LINES, "x = 1\nreturn 0"])), max_size=3)


@given(texts=some_texts, quotes=st.lists(some_quotes, max_size=4))
async def test_claims_with_a_false_quotation_are_dropped(
    texts: dict[str, str], quotes: list[list[tuple[str, str]]]
) -> None:
    claims = [claim(*each) for each in quotes]
    kept = await holding(claims, Path("/nowhere"), ["a.py", "b.py"], texts)
    for each in claims:
        believed = all(quote.path != "ignored.py" and holds(quote, texts.get(quote.path, "")) for quote in each.quotes)
        assert (each in kept) is believed
