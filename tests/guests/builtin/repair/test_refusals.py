"""Guards that refuse an input: they are asked for by tests that wait for an exception, and agree with their words."""

from __future__ import annotations

import pytest

from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.ranking import asked_for, ranked
from support.search.repair_context import asked, context_of, proposed

WORDED = """\
def other(n, key):
    if n == 9:
        raise ValueError('{words}')

def target(n):
    size = n * 2
    return size
"""


@pytest.mark.parametrize(
    ("words", "refused", "other"),
    [
        ("n must be >= 0", "n < 0", "n <= 0"),
        ("n must be at least 1", "n < 1", "n < 0"),
        ("n must be > 0", "n <= 0", "n < 0"),
        ("n must be greater than 0", "n <= 0", "n < 0"),
    ],
)
def test_refusals_agree_with_their_words(words: str, refused: str, other: str) -> None:
    source = WORDED.format(words=words)
    weights = proposed("a missing refusal", source, {"n": {"int"}}, {}, expected=["ValueError"])
    guard = "    if {}:\n        raise ValueError('" + words + "')\n    size ="
    likely, unlikely = (weights.get(source.replace("    size =", guard.format(one)), 0) for one in (refused, other))
    assert likely > 4 * unlikely


def test_words_get_the_bound_of_the_question() -> None:
    source = WORDED.format(words="n must be at least one")
    weights = proposed("a missing refusal", source, {"n": {"int"}}, {}, expected=["ValueError"])
    guard = "    if {}:\n        raise ValueError('n must be at least {}')\n    size ="
    its_own, reworded, contradicting = (
        weights.get(source.replace("    size =", guard.format(*one)), 0)
        for one in (("n < 1", "one"), ("n < 0", "0"), ("n < 0", "one"))
    )
    assert its_own > 0
    assert reworded > contradicting == 0


@pytest.mark.parametrize("words", ["n must not be greater than 0", "no more than 0", "n is above 0", "n must be > 0.5"])
def test_other_words_state_no_bound(words: str) -> None:
    source = WORDED.format(words=words)
    weights = proposed("a missing refusal", source, {"n": {"int"}}, {}, expected=["ValueError"])
    guard = "    if {}:\n        raise ValueError('" + words + "')\n    size ="
    likely, unlikely = (weights[source.replace("    size =", guard.format(one))] for one in ("n < 0", "n <= 0"))
    assert unlikely <= likely < 4 * unlikely


def test_errors_about_others_are_left_out() -> None:
    others = "".join(f"    if key == {one}:\n        raise ValueError('wrong key {one}')\n" for one in range(9))
    source = WORDED.format(words="n is odd").replace("    if n == 9", others + "    if n == 9")
    texts = proposed("a missing refusal", source, {"n": {"int"}}, {}, expected=["ValueError"])
    assert any("if n < 0:\n        raise ValueError('n is odd')" in text for text in texts)
    assert not any("if n < 0:\n        raise ValueError('wrong key" in text for text in texts)


def test_missing_exceptions_ask_for_refusals() -> None:
    source = WORDED.format(words="n must be >= 0")

    def place(raised: str) -> int:
        context = context_of(source, {}, {}, expected=["ValueError"], raised=[raised])
        assert ("a missing refusal" in asked_for(context)) is (raised == "AssertionError")
        assert asked_for(context_of(source, {}, {}, expected=["ValueError"])) == set()
        edits = ranked(context, Suspicion([{6, 7}], ["failed"]), asked(source)).all()
        return [one.template for one in edits].index("a missing refusal")

    assert place("AssertionError") < place("TypeError") / 2


def test_conditions_ask_about_what_is_used() -> None:
    source = "def target(rows, width, out):\n    out.append(rows)\n    return out\n"
    weights = proposed("a missing condition around a statement", source, {}, {})
    wrapped = "    if {}:\n        out.append(rows)\n"
    about, beside = (
        weights[source.replace("    out.append(rows)\n", wrapped.format(one))] for one in ("rows", "width")
    )
    assert about > beside
