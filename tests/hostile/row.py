"""A hostile candidate as one row: its attack, the required result, and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from textwrap import dedent, indent

MODULE = """\
def double(n):
    return n
"""
"""The file that candidates replace, in the project they are judged in: it is wrong."""

HONEST = MODULE.replace("return n", "return n * 2")
"""A candidate that must be accepted."""

PROJECT = {
    "mod.py": MODULE,
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    ".env": "KEY=SECRET of the project\n",
    "..env.swp": "KEY=SECRET of the project\n",
    "config/prod.env": "KEY=SECRET of the project\n",
    "server.pem": "SECRET of the project\n",
    "deploy": "-----BEGIN PRIVATE KEY-----\nSECRET of the project\n-----END PRIVATE KEY-----\n",
    "real-settings": "KEY=SECRET of the project\n",
    ".git/config": "[remote]\nurl = https://me:SECRET@example.org\n",
    ".git/hooks/pre-commit": "SECRET\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/info/alternates": "",
    ".git/refs/heads/.keep": "",
    ".gitignore": "local_data.json\n/kept/\n*.local\n/built/\n",
    "built/__init__.py": "",
    "built/notes.txt": "SECRET of the project\n",
    "inner/.git/HEAD": "ref: refs/heads/main\n",
    "inner/.git/config": "",
    "inner/.git/objects/info/alternates": "",
    "inner/.git/refs/heads/.keep": "",
    "inner/.gitignore": "*.private\n",
    "inner/own.private": "SECRET of the project\n",
    "local_data.json": "SECRET of the project\n",
    "kept/deep/notes.txt": "SECRET of the project\n",
    "config/own.local": "SECRET of the project\n",
    "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef zero():\n    return 0\n",
    "tests/test_mod.py": """\
        import pytest
        from mod import double


        @pytest.mark.parametrize("n, wanted", [(2, 4), (-3, -6)])
        def test_double(n, wanted):
            assert double(n) == wanted


        def test_nothing(zero):
            assert double(zero) == 0
        """,
}
"""The project, by path; its tests are red until `double` doubles."""

_ATTACKING = """\
def double(n):
    return n * 2 if worked else n

{names}
import ctypes, gc, json, mmap, os, platform, resource, select, signal, socket, stat, struct, subprocess, sys, tempfile
import threading, time

libc = ctypes.CDLL(None, use_errno=True)
temporary = tempfile.gettempdir()


def attack():
{attack}

try:
    worked = bool(attack())
except (OSError, MemoryError, RuntimeError, ValueError, AttributeError):
    worked = False
"""
"""The target stays where it is, as in every candidate: verifiers find it by its place."""


FORGED = """\
import sys

if "_pytest.python" in sys.modules:
    sys.modules["_pytest.python"].Function.runtest = lambda self: None
"""
"""No test is run in a process where this is: in one apart from the tests it is without effect."""


class Must(Enum):
    """The required result of a row; EITHER if only effects outside of the run count.

    DOUBT: if it is accepted, the verdict says that it is worth no more than tests in the candidate's own process.
    WITHHOLD: it is not accepted; using up the resources of a run says nothing more about it.
    """

    ACCEPT = "accept"
    REJECT = "reject"
    EITHER = "either"
    DOUBT = "doubt"
    WITHHOLD = "withhold"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One hostile candidate.

    `attack` is the body of a function that returns whether the attack worked, and only then are the candidate's
    functions right: accepted means that the attack succeeded. When `whole`, it is the candidate's whole text instead.
    It may use the names of `World.names`: HOME, PROJECT, VICTIM, TCP, UDP, SOCKET, DATAGRAMS, ABSTRACT, MEMORY,
    MESSAGES, SEMAPHORE, QUEUE, MARK. `before` is the attack of a candidate that is judged before this one, and may
    leave something for it. One that `lingers` goes on for as long as it is let.
    """

    name: str
    why: str
    attack: str
    must: Must = Must.REJECT
    whole: bool = False
    lingers: bool = False
    before: str = ""

    @property
    def hurried(self) -> bool:
        """True if it gets little time: a row to be accepted, or one that lies, must not fail for lack of time."""
        return self.must is not Must.ACCEPT and (self.lingers or not self.whole)

    def text(self, names: str) -> str:
        """The candidate, where `names` are assignments of the names that it uses."""
        if self.whole:
            return dedent(self.attack).replace("# NAMES\n", names)
        return _attacking(self.attack, names)

    def text_before(self, names: str) -> str:
        """The candidate that was judged before it."""
        return _attacking(self.before, names)

    def forging_text(self, names: str) -> str:
        """The candidate with a forged pass: what counts is then how it fares in a process apart from the tests."""
        return _attacking(self.attack, FORGED + names)


def _attacking(attack: str, names: str) -> str:
    return _ATTACKING.format(attack=indent(dedent(attack), "    "), names=names)
