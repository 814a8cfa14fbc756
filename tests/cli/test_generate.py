"""`certo generate`, by the real command on real projects."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import termios
from dataclasses import dataclass
from pathlib import Path

import pytest

from certo.presentation.phrases import quoted
from support.cli.command import (
    COMMAND,
    FIXED,
    HARMLESS,
    RIGHT,
    SOURCE,
    WRONG,
    certo,
    environment,
    processes_in,
    scripted,
    till,
)
from support.projects.projects import write_project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return till(tmp_path / "till")


def test_a_verified_winner_is_the_answer(root: Path) -> None:
    """Its patch is one that git applies."""
    ran = certo(root, "generate", "till.py:8", *scripted(root, WRONG, RIGHT))
    assert ran.code == 0
    assert ran.out.startswith("VERIFIED\n")
    assert "+        while due >= coin:" in ran.out
    assert "tests 2/2 (1 newly)" in ran.out
    assert "--apply" in ran.out
    assert "2 tests reach it, 1 failing" in ran.err
    assert "#1  give nothing back  ✗ 1/2" in ran.err
    assert (root / "till.py").read_text() == SOURCE
    subprocess.run(["git", "apply"], input=ran.out.encode(), cwd=root, check=True, env=environment(root.parent))
    assert FIXED in (root / "till.py").read_text()


BILL = """\
def bill(prices):
    net = 0
    for price in prices:
        net += price
    return net + tax(net)


def tax(net):
    return net * 20 // 100
"""
OF_BILL = "from bill import bill\n\n\ndef test_bill():\n    assert [bill([100]), bill([1000, 200])] == [119, 1428]\n"


def test_suspects_are_searched_in_order_sharing_budget(tmp_path: Path) -> None:
    root = write_project(tmp_path / "bill", {"pyproject.toml": "", "bill.py": BILL, "test_bill.py": OF_BILL})
    right = {"source": "def tax(net):\n    return net * 19 // 100\n"}
    ran = certo(root, "generate", "test_bill.py::test_bill", "--json", *scripted(root, right))
    assert ran.code == 0, ran.err
    (first, last) = (event for event in ran.events if event["type"] == "search.stopped")
    assert (first["outcome"], first["followedBy"]) == ("exhausted", last["search"])
    assert (last["outcome"], last["followedBy"]) == ("solved", None)
    assert "net * 19 // 100" in last["winner"]["source"]
    began = [event for event in ran.events if event["type"] == "search.started"]
    assert [event["qualname"] for event in began] == ["bill", "tax"]
    assert began[0]["budget"]["seconds"] == pytest.approx(40.0), "two thirds, for it is the likelier of two"
    assert began[1]["budget"]["seconds"] == pytest.approx(60.0 - first["spent"]["seconds"])
    assert began[1]["budget"]["candidates"] == began[0]["budget"]["candidates"] - first["spent"]["candidates"]


def test_untested_candidate_is_unverified_and_unapplied(root: Path) -> None:
    words = ("generate", "till.py::lonely", "--instruction", "add nothing", "--apply", *scripted(root, HARMLESS))
    ran = certo(root, *words)
    assert ran.code == 1
    assert ran.out.startswith("NOT VERIFIED: no test exercised it")
    assert "Nothing was applied" in ran.err
    assert (root / "till.py").read_text() == SOURCE


OTHER = {"source": "def lonely(x):\n    return x + 1\n", "note": "one more"}
KEPT = {"source": "def lonely(x):\n    return [x][0]\n", "note": "by a list"}


@pytest.mark.slow
def test_rewrite_that_keeps_behaviour(root: Path) -> None:
    """The first reply acts otherwise, which the second try is told; without a test it is still not verified."""
    words = ("--instruction", "use a list", "--preserve", *scripted(root, OTHER, KEPT))
    ran = certo(root, "generate", "till.py::lonely", *words)
    assert ran.code == 1
    assert ran.out.startswith("NOT VERIFIED: no test exercised it")
    assert "no difference found in" in ran.out
    assert "equivalence: lonely(0) gives 0 in the text, and gives 1 with this candidate" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("till.py::lonely",), "goes with an instruction"),
        (("till.py::change", "--instruction", "shorter"), "so the behaviour of change cannot be kept"),
    ],
    ids=["no instruction", "failing test"],
)
def test_behaviour_that_cannot_be_kept(root: Path, words: tuple[str, ...], said: str) -> None:
    ran = certo(root, "generate", *words, "--preserve", *scripted(root, KEPT))
    assert ran.code == 2
    assert said in ran.err


def test_no_winner_exits_1_with_closest_failures(root: Path) -> None:
    ran = certo(root, "generate", "till.py::change", *scripted(root, WRONG))
    assert ran.code == 1
    assert ran.out == ""
    assert "The closest candidates failed on" in ran.err
    assert "the script has no more replies" in ran.err.lower()


def test_only_working_code_is_made_faster(root: Path) -> None:
    ran = certo(root, "generate", "till.py::change", "--goal", "faster")
    assert ran.code == 2
    assert "fails; repair change before it is made faster" in ran.err


@pytest.mark.slow
def test_missing_tests_are_reported(root: Path) -> None:
    ran = certo(root, "generate", "till.py::lonely", *scripted(root, WRONG))
    assert ran.code == 1
    assert "No test that reaches the target gave a result" in ran.err
    assert "--instruction" in ran.err


@pytest.mark.slow
def test_an_instruction_advises_a_model(root: Path) -> None:
    words = ("--instruction", "add nothing", "--feedback", "shorter", "--generator", "builtin")
    ran = certo(root, "generate", "till.py::lonely", *words)
    assert ran.code == 1
    assert "next        Let a language model try: it can follow an instruction.\n" in ran.err
    assert "options     --model openai:gpt-5-mini\n" in ran.err
    assert "Add a test" not in ran.err
    assert "the feedback was not used, because only a language model can read it" in ran.err


@pytest.mark.slow
def test_few_examples_offer_an_option(root: Path) -> None:
    (root / "till.py").write_text('def f(text):\n    """Of a text.\n\n    >>> f("a")\n    1\n    """\n    ...\n')
    ran = certo(root, "generate", "till.py::f", "--generator", "builtin")
    assert ran.code == 1
    asked = re.search(r"^What should (f\(.*\)) return\? Your examples ", ran.err, re.MULTILINE)
    assert asked is not None, ran.err
    assert f"--example {quoted(f'{asked[1]} == …')}\n" in ran.err


def test_an_example_is_a_test_like_any(root: Path) -> None:
    words = ("generate", "till.py::lonely", "--example", "lonely(2) == 2.0", "--example", "lonely(3) == 4")
    added = {"source": "def lonely(x):\n    return x + (x == 3)\n"}
    ran = certo(root, *words, "--json", *scripted(root, HARMLESS, added))
    assert ran.code == 0
    started = next(event for event in ran.events if event["type"] == "search.started")
    assert {test["id"]: test["ruling"] for test in started["baseline"]["tests"]} == {
        "example 1": "passed",
        "example 2": "failed",
    }
    assert started["baseline"]["problems"] == ["example 1, `lonely(2) == 2.0`, passes already"]
    assert "x + (x == 3)" in ran.events[-1]["winner"]["source"]


@pytest.mark.parametrize(
    ("example", "said"),
    [
        ("lonely(2) = 2", "cannot be read"),
        ("lonely(2)", "does not say what is expected"),
        pytest.param("len([]) == 0", "run lonely", marks=pytest.mark.slow),
    ],
)
def test_an_example_that_is_none_is_2(root: Path, example: str, said: str) -> None:
    ran = certo(root, "generate", "till.py::lonely", "--example", example, *scripted(root, HARMLESS))
    assert ran.code == 2
    assert repr(example) in ran.err
    assert said in ran.err


def test_a_missing_interpreter_is_3(root: Path) -> None:
    ran = certo(root, "generate", "till.py::change", "--interpreter", "/no/such/python")
    assert ran.code == 3
    assert "/no/such/python" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("content", "names"),
    [(b"def change(:\n", "till.py:1"), (b"\x00\x01", "NUL"), ("x = 'é'".encode("latin-1"), "UTF-8")],
)
def test_a_bad_file_is_2(root: Path, content: bytes, names: str) -> None:
    (root / "till.py").write_bytes(content)
    ran = certo(root, "generate", "till.py::change")
    assert ran.code == 2
    assert names in ran.err
    assert ran.err.count("\n") == 1


def test_misspelt_function_exits_2_with_a_suggestion(root: Path) -> None:
    ran = certo(root, "generate", "till.py::chnge")
    assert ran.code == 2
    assert "'chnge'" in ran.err
    assert "change" in ran.err


@dataclass(frozen=True)
class Applied:
    """What came of `--apply` through a link to a file with Windows' newlines and none at its end, on a terminal."""

    link: Path
    code: int
    out: bytes
    drawn: str
    names: tuple[set[str], set[str]]


@pytest.fixture(scope="module")
def applied(tmp_path_factory: pytest.TempPathFactory) -> Applied:
    root = till(tmp_path_factory.mktemp("applied") / "till")
    (root / "till.py").write_bytes(CRLF.encode())
    link = root.parent / "shortcut.py"
    link.symlink_to(root / "till.py")
    before = {path.name for path in root.iterdir()}
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    with subprocess.Popen(
        [*COMMAND, "generate", f"{link}::change", "--apply", *scripted(root, WRONG, RIGHT)],
        cwd=root.parent,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(root.parent, TERM="xterm-256color"),
    ) as running:
        os.close(theirs)
        drawn = b"".join(iter(lambda: read_terminal(ours), b"")).decode()
        out, _ = running.communicate(timeout=60)
    os.close(ours)
    return Applied(link, running.returncode, out, drawn, (before, {path.name for path in root.iterdir()}))


def read_terminal(descriptor: int) -> bytes:
    """Return the bytes drawn since; none after the other side has closed, which Linux reports as an error."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


CRLF = SOURCE.rstrip("\n").replace("\n", "\r\n")


def test_apply_writes_only_the_verified_text(applied: Applied) -> None:
    """Newlines stay as they are, and so does the missing last one."""
    assert applied.code == 0
    assert "Applied to" in applied.drawn
    assert applied.link.read_bytes() == CRLF.replace("due > coin", "due >= coin").encode()
    before, after = applied.names
    assert after == before


def test_a_symbolic_link_leads_to_the_file(applied: Applied) -> None:
    assert applied.link.is_symlink()
    assert b"due >= coin" in (applied.link.parent / "till" / "till.py").read_bytes()


def test_terminal_draws_a_table_beside_the_answer(applied: Applied) -> None:
    assert applied.out.startswith(b"VERIFIED\n")
    assert b"\x1b" not in applied.out
    assert "\x1b[32m✓" in applied.drawn
    assert "give nothing back" in applied.drawn
    assert "\x1b[?25h" in applied.drawn.rsplit("\x1b[?25l", 1)[1], "the cursor stays hidden"


def wait_for_proposal(running: subprocess.Popen[bytes]) -> list[bytes]:
    """Read events until the first candidate has been judged, and return them."""
    assert running.stdout is not None
    seen = []
    for line in running.stdout:
        seen.append(line)
        if json.loads(line)["type"] == "candidate.scored":
            return seen
    raise AssertionError(seen)


def started(root: Path, *words: str) -> subprocess.Popen[bytes]:
    # Unbuffered: `communicate` reads the descriptor, and would miss the lines that a buffer holds already.
    return subprocess.Popen(
        [*COMMAND, *words],
        bufsize=0,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(root.parent),
    )


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        signal.SIGTERM,
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_everything_with_its_code(root: Path, number: signal.Signals) -> None:
    slow = RIGHT | {"delaySeconds": 3600}
    with started(root, "generate", "till.py::change", "--json", *scripted(root, WRONG, slow)) as running:
        wait_for_proposal(running)
        running.send_signal(number)
        out, err = running.communicate(timeout=300)
    assert running.returncode == 128 + number
    assert json.loads(out.splitlines()[-1])["outcome"] == "cancelled"
    assert b"Traceback" not in err
    assert processes_in(root) == []


@pytest.mark.slow
def test_change_elsewhere_is_verified_again_and_kept(root: Path) -> None:
    """With `--json` there is one event a line; the last one is the outcome."""
    slow = RIGHT | {"delaySeconds": 2}
    with started(root, "generate", "till.py::change", "--json", "--apply", *scripted(root, WRONG, slow)) as running:
        said = wait_for_proposal(running)
        (root / "till.py").write_text("# a new first line\n" + SOURCE)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    assert (root / "till.py").read_text() == "# a new first line\n" + SOURCE.replace("due > coin", "due >= coin")
    events = [json.loads(line) for line in (*said, *out.splitlines())]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert all(list(event)[:2] == ["type", "seq"] for event in events)
    last = events[-1]
    assert (last["type"], last["outcome"], last["verified"]) == ("search.stopped", "solved", True)
    assert FIXED in last["winner"]["source"]
    verdicts = {verdict["verifier"]: verdict for verdict in last["winner"]["evidence"]["verdicts"]}
    assert verdicts["tests"]["tests"]["passed"] == 2
    assert verdicts["forgery"]["assurance"] == "tier 2: apart + canary"


@pytest.mark.slow
def test_a_change_that_collides_is_refused(root: Path) -> None:
    theirs = SOURCE.replace("due > coin", "due > coin + 0")
    slow = RIGHT | {"delaySeconds": 4}
    with started(root, "generate", "till.py::change", "--json", "--apply", *scripted(root, WRONG, slow)) as running:
        wait_for_proposal(running)
        (root / "till.py").write_text(theirs)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert err.startswith(b"certo: ")
    assert (root / "till.py").read_text() == theirs
    assert {name for name in os.listdir(root) if name.endswith(".certo")} == set()


@pytest.mark.slow
def test_failing_test_leads_to_the_blamed_function(root: Path) -> None:
    ran = certo(root, "generate", "tests/test_till.py::test_one_coin", "--apply", *scripted(root, RIGHT))
    assert ran.code == 0
    assert ran.err.startswith("test_one_coin fails, and change (till.py:6) is the likeliest cause of it.\n")
    assert FIXED in (root / "till.py").read_text()
    again = certo(root, "generate", "tests/test_till.py:6")
    assert again.code == 2
    assert again.err == "certo: test_one_coin passes; there is nothing to repair for it\n"
