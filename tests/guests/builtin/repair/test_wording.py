"""Edits that answer to the words of a docstring, an instruction or a name, and edits that no longer do."""

from __future__ import annotations

import pytest

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.naturalness import Wording
from certo_builtin.repair.ranking import ranked
from certo_builtin.source import Source, applied
from support.search.repair_context import asked

SHOUT = "def target(text):\n    return text.lower()\n"
TURNED = "def target(words):\n    return sorted(words)\n"


def wording(source: str, said: str) -> Wording:
    parsed = Source(source)
    target = parsed.function_at(asked(source).line, "target")
    assert target is not None
    return Wording(RepairContext(parsed, target, {}, {}), asked(source)._replace(docstring=said))


def factor(source: str, said: str, old: str, new: str) -> float:
    """Return the factor by which the wording makes replacing one text of the source by another likelier."""
    at = source.index(old)
    return wording(source, said).answer([(at, at + len(old), new)])


@pytest.mark.parametrize(
    ("source", "said", "old", "new"),
    [
        (SHOUT, "upper case the text", "lower", "upper"),
        (SHOUT, "the text in capitals", "lower()", "upper()"),
        (TURNED, "reverse the order of the words", "sorted(words)", "words[::-1]"),
        (TURNED, "the reversed words", "sorted", "reversed"),
        (TURNED, "in descending order", "sorted(words)", "sorted(words, reverse=True)"),
        (TURNED, "the prime ones", "sorted(words)", "[word for word in words if is_prime(word)]"),
        (TURNED, "those longer than 24 letters", "sorted(words)", "[word for word in words if len(word) > 24]"),
        (TURNED, "those of a sum > 0", "sorted(words)", "[word for word in words if sum(word) >0]"),
        (TURNED, "with 'ab' between", "sorted(words)", 'words.replace("ab", "")'),
    ],
)
def test_answering_an_unanswered_word_is_likelier(source: str, said: str, old: str, new: str) -> None:
    assert factor(source, said, old, new) > 1


@pytest.mark.parametrize(
    ("source", "said", "old", "new"),
    [
        (SHOUT, "upper case the text", "lower", "swapcase"),
        (SHOUT, "upper case the target", "text.lower()", "target(text)"),
        (TURNED, "reverse the order of the words", "sorted(words)", "sorted(words, reverse=True)"),
        (TURNED, "sort the words", "words)", "words[1:])"),
        (TURNED, "the 1st or 2 of them", "sorted(words)", "words[:2]"),
        (TURNED, "f(3) -> 0", "sorted(words)", "[word for word in words if sum(word) > 0]"),
        (TURNED, "the first of all", "sorted(words)", "all(words)"),
    ],
)
def test_what_answers_to_no_word_gains_nothing(source: str, said: str, old: str, new: str) -> None:
    assert factor(source, said, old, new) == 1


def test_leaving_a_word_unanswered_is_less_likely() -> None:
    """Unless something else answers to it."""
    assert factor(SHOUT, "to lower case", "text.lower()", "text") < 1
    twice = SHOUT.replace("text.lower()", "text.lower() + text.lower()")
    assert factor(twice, "to lower case", "text.lower()", "text") == 1


def test_the_docstring_orders_what_templates_propose() -> None:
    question = asked(SHOUT)._replace(docstring="Upper-case the text.\n\n>>> target('swapcase')\n'SWAPCASE'\n")
    parsed = Source(SHOUT)
    target = parsed.function_at(question.line, "target")
    assert target is not None
    seen = RepairContext(parsed, target, {"target": {"text": {"str"}}}, {})
    found = {
        applied(SHOUT, one.edits): one.probability for one in ranked(seen, Suspicion([{2}], ["failed"]), question).all()
    }
    upper, swapped = (found[SHOUT.replace("lower", name)] for name in ("upper", "swapcase"))
    assert upper > 2 * swapped > 0
