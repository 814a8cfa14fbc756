"""A language model's tests pass the same filter, and each notices what no other test does."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.generation.model.templates import load
from certo.generation.regression.model_tests import TestAuthor, with_model_tests
from certo.generation.regression.proposal import write_tests
from certo.generation.regression.proposed_tests import proposed_in
from certo.generation.regression.selection import SelectionBudget
from support.models.scripted_answers import Answers, reply
from support.projects.subjects import subject_of

CODE = """\
    def code(word):
        if word == "quite-a-long-word-nobody-guesses".replace("-", "_")[::-1]:
            return 7
        return 1 if word else 0
"""
WORD = "quite_a_long_word_nobody_guesses"[::-1]
ANSWER = f'''Here they are:

```python
from till import code

def test_code_of_the_word():
    """The word that counts."""
    word = {WORD!r}
    assert code(word) == 7

def test_code_claims_otherwise():
    assert code({WORD!r}) == 8

def test_code_again():
    assert code({WORD!r}) == 7

def test_code_without_force():
    assert True
```
'''


async def test_model_tests_pass_the_filter(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, CODE, "code")
    model = Answers([reply(ANSWER)])
    proposal = await write_tests(subject, seed=0, budget=SelectionBudget(calls=100, mutants=40), tells_open=True)
    author = TestAuthor(model=model, templates=load(tmp_path, ""), python="3.12")
    whole = await with_model_tests(proposal, subject, author)
    (one,) = [test for test in whole.written.tests if test.author]
    assert (one.name, one.author) == ("test_code_of_the_word", model.name)
    assert one.notices > 0
    assert whole.written.noticed_after == proposal.written.noticed_after + one.notices
    said = "\n".join(whole.written.rejected)
    assert "test_code_claims_otherwise, by scripted:one: claims otherwise" in said
    assert "test_code_again, by scripted:one: it notices nothing that no other test does" in said
    assert "test_code_without_force" in said
    assert "def test_code_of_the_word():" in whole.text({test.name for test in whole.written.tests})


@pytest.mark.parametrize(
    "code",
    [
        "import os\ndef test_a():\n    assert f(os.system('x')) == 1",
        "def test_a():\n    open('x', 'w')\n    assert f(1) == 1",
        "@pytest.mark.xfail\ndef test_a():\n    assert f(1) == 1",
        "def test_a():\n    f(1)",
        "def test_a(*more):\n    assert f(1) == 1",
        "def test_taken():\n    assert f(1) == 1",
        "def test_a(:",
    ],
)
def test_unusable_tests_are_left_out(code: str) -> None:
    assert proposed_in(f"```python\n{code}\n```", "functions", {"test_taken"}) == ()


def test_every_assertion_is_broken() -> None:
    code = (
        "import pytest\ndef test_a():\n    x = f(1)\n    assert x == 1\n"
        "    with pytest.raises(ValueError, match='no'):\n        f(-1)"
    )
    (test,) = proposed_in(f"```python\n{code}\n```", "functions", ())
    assert test.imports == (("pytest", ""),)
    assert test.body.lines(0)[:2] == ["x = f(1)", "assert not x == 1"]
    assert "with pytest.raises(ValueError, match='no such text'):" in test.body.lines(1)
