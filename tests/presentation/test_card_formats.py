"""The forms of a score card: what Markdown must not take for markup, and plain text that keeps within its columns."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from certo.presentation.card import Card, Link, VerifierLine, card_of
from certo.presentation.card_formats import COLUMNS, markdown, plain
from support.search.live_searches import live_search


def test_markdown_sets_possible_markup_as_code() -> None:
    card = Card(
        heading="Candidate #1 for __init__",
        lines=(VerifierLine(sign="✗", verifier="tests", evidence="assert a|b == <x>\nand more", seconds="0.10 s"),),
        facts=(("found by", "`>` became `>=`"),),
        diff="-```\n+x\n",
    )
    assert markdown(card).splitlines() == [
        "**Candidate #1 for `__init__`**",
        "",
        "````diff",
        "-```",
        "+x",
        "````",
        "",
        "| | check | evidence | time |",
        "|:-:|:--|:--|--:|",
        r"| ✗ | tests | assert `a\|b` == `<x>` and more | 0.10 s |",
        "",
        "*found by:* `>` became `>=`",
    ]


def test_long_diffs_stand_below_the_evidence() -> None:
    card = Card(heading="x", facts=(("cost", "none"),), notes=("rivals",), diff="+1\n" * 20)
    assert markdown(card).splitlines()[2:6] == ["rivals", "", "*cost:* none", ""]
    assert plain(card).splitlines()[:5] == ["x", "", "rivals", "", "cost  none"]


async def test_plain_text_is_in_columns() -> None:
    search = live_search()
    lines = plain(card_of(search, search.state.ranked()[0])).splitlines()
    assert lines[0] == "Candidate #2 for half: verified by 2 tests, 1 of them newly passing"
    assert lines[2].startswith("--- a/till/coins.py")
    assert lines[-6:] == [
        "",
        "confined     Landlock, seccomp: no network, no new processes, project read-only",
        "cost         2 tokens changed",
        "not counted  1 more change made no difference on 320 calls and is not counted.",
        "found by     builtin — comparison `>` became `>=`, line 2",
        "search       2 candidates in 1.5 s",
    ]


async def test_unfolded_checks_have_a_row_each() -> None:
    search = live_search()
    card = card_of(search, search.state.ranked()[0])
    assert "\n\n✓ syntax, tests 2/2 (1 newly)\n\n" in markdown(card)
    rows = [line for line in markdown(card, unfolded=True).splitlines() if line.startswith("| ✓")]
    assert rows == [
        "| ✓ | syntax |  | 0.00 s |",
        "| ✓ | tests | 2/2 passed, 1 newly passing, changed lines executed | 0.31 s |",
    ]


LINES = st.lists(st.text(alphabet="ab  -+@#xyz", max_size=300), max_size=5)


@given(words=st.text(alphabet="ab .,-", max_size=400), lines=LINES)
def test_plain_text_keeps_columns_and_code(words: str, lines: list[str]) -> None:
    diff = "\n".join(lines).rstrip()
    line = VerifierLine(sign="✓", verifier="tests", evidence=words, seconds="0.10 s")
    bare = Card(heading=f"Candidate #1: {words}", lines=(line,), facts=(("cost", words or "none"),), notes=(words,))
    card = plain(replace(bare, diff=diff))
    assert max(map(len, card.split("\n"))) <= COLUMNS
    assert diff in card.replace("\n↪ ", "")


def test_long_check_names_leave_room_for_evidence() -> None:
    line = VerifierLine(sign="✓", verifier="x" * 200, evidence="it is well", seconds="0.10 s")
    assert plain(Card(heading="x", lines=(line,))).endswith("  it is well")


def test_links_stand_in_markdown_and_only_there() -> None:
    card = Card(
        heading="x", links=(Link(label="Accept", uri="command:certo.accept?%5B%5D"), Link(label="Retry", uri="y"))
    )
    assert markdown(card).splitlines()[-1] == "[Accept](command:certo.accept?%5B%5D) · [Retry](y)"
    assert plain(card) == "x"
