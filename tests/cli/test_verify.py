"""`certo verify`, by the real command on real projects."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from support.cli.command import COMMAND, SOURCE, certo, environment, processes_in, till

HANGS = """\
from till import change

def test_hangs():
    change(0)
    open("reached").close()
    while True:
        pass
"""


def test_red_tests_are_evidence_against(tmp_path: Path) -> None:
    ran = certo(till(tmp_path / "till"), "verify", "till.py::change")
    assert ran.code == 1
    assert ran.out.startswith("FAILED  change in till.py:6\n")
    assert "1 of 2 tests passed, change executed" in ran.out
    assert [line.split()[0] for line in ran.out.splitlines() if "– not run" in line] == ["forgery", "evidence"]
    assert "signature" not in ran.out
    assert "policy" not in ran.out
    assert "test_one_coin" in ran.out
    assert "certo generate till.py::change" in ran.out


def test_green_tests_that_ran_it_verify(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=SOURCE.replace("due > coin", "due >= coin"))
    ran = certo(root, "verify", "till.py::change", "--json")
    assert ran.code == 0
    (report,) = ran.events
    assert next(iter(report)) == "type"
    assert report["verified"] is True
    assert [verdict["verifier"] for verdict in report["evidence"]["verdicts"]] == [
        "syntax",
        "signature",
        "policy",
        "tests",
        "forgery",
        "evidence",
    ]
    tests, _, evidence = report["evidence"]["verdicts"][-3:]
    assert tests["tests"]["passed"] == 2
    assert evidence["dependence"] == {"noticed": 2, "idle": [], "reason": ""}


@pytest.mark.slow
def test_tests_that_look_at_nothing_verify_nothing(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=SOURCE.replace("due > coin", "due >= coin"))
    (root / "tests" / "test_till.py").write_text("from till import change\n\ndef test_it():\n    assert change(5)\n")
    ran = certo(root, "verify", "till.py::change")
    assert ran.code == 1
    assert ran.out.startswith("NOT VERIFIED: no test depends on what change returns")
    assert "tests/test_till.py::test_it does not depend on what change returns" in ran.out


@pytest.mark.slow
def test_without_a_test_nothing_is_verified(tmp_path: Path) -> None:
    ran = certo(till(tmp_path / "till"), "verify", "till.py::lonely")
    assert ran.code == 1
    assert ran.out.startswith("NOT VERIFIED: no test exercised it\nlonely in till.py:")


def test_a_test_is_no_target(tmp_path: Path) -> None:
    ran = certo(till(tmp_path / "till"), "verify", "tests/test_till.py::test_one_coin")
    assert ran.code == 2
    assert ran.out == ""
    assert "test_one_coin is a test; name the function that it tests, as till.py::change" in " ".join(ran.err.split())


def test_missing_target_exits_2(tmp_path: Path) -> None:
    ran = certo(till(tmp_path / "till"), "verify", "till.py::missing")
    assert ran.code == 2
    assert "'missing'" in ran.err


RIGHT = SOURCE.replace("due > coin", "due >= coin")


@pytest.mark.usual_cases("verify")
@pytest.mark.acceptance(21)
@pytest.mark.parametrize("command", ["verify", "generate"])
def test_missing_tool_that_settings_require_exits_3(tmp_path: Path, command: str) -> None:
    """Nothing is called verified where a check its user insists on was left out."""
    ran = certo(till(tmp_path / "till"), command, "till.py::change", CERTO_VERIFY__TYPES="mypy")
    assert ran.code == 3
    assert "VERIFIED" not in ran.out
    told = " ".join((ran.out + ran.err).split())
    assert " has no mypy, and verify.types insists on mypy; install it: " in told
    assert '-m pip install mypy, or set verify.types to "auto" or "off"' in told


@pytest.mark.slow
def test_missing_tool_of_the_project_is_reported(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=RIGHT)
    (root / "mypy.ini").write_text("[mypy]\n")
    ran = certo(root, "verify", "till.py::change")
    assert ran.code == 0
    said = "configured but not installed: mypy, so the check types is left out; to have it: "
    assert [line for line in ran.out.splitlines() if "mypy" in line and line.startswith(said)]
    (report,) = certo(root, "verify", "till.py::change", "--json").events
    assert any("so the check types is left out" in problem for problem in report["baseline"]["problems"])


@pytest.mark.slow
def test_custom_checks_are_asked_too(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=RIGHT)
    (root / "ours.py").write_text("def short(code):\n    return len(code) < 9, 'make it shorter'\n")
    ran = certo(root, "verify", "till.py::change", CERTO_VERIFY__CUSTOM='["ours:short"]')
    assert ran.code == 1
    assert "ours:short: make it shorter" in ran.out
    ran = certo(root, "verify", "till.py::change", CERTO_VERIFY__CUSTOM='["ours:missing"]')
    assert ran.code == 2
    assert "ours:missing cannot be had" in " ".join(ran.err.split())


@pytest.mark.slow
@pytest.mark.usual_cases("2")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything_with_its_code(tmp_path: Path, number: signal.Signals) -> None:
    root = till(tmp_path / "till")
    (root / "tests" / "test_till.py").write_text(HANGS)
    os.mkfifo(root / "reached")
    with subprocess.Popen(
        [*COMMAND, "verify", "till.py::change"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path, CERTO_TESTS__SECONDS="60"),
    ) as running:
        # A run may read the project's pipe and not write to it; opening one end waits for the other.
        (root / "reached").write_bytes(b"")
        running.send_signal(number)
        out, err = running.communicate(timeout=300)
    assert running.returncode == 128 + number
    assert out == b""
    assert b"Traceback" not in err
    assert processes_in(root) == []
