"""The policy of a project is the strictest under which its own tests pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project

COMPUTES = "    assert double(2) == 4\n"
STARTS = """\
    said = subprocess.run([sys.executable, "-S", "-c", "print(4)"], capture_output=True, text=True, check=True)
    assert double(2) == int(said.stdout)
"""
CONNECTS = """\
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        assert double(2) == 4
"""


def project(root: Path, body: str, source: str = "def double(n):\n    return n + n\n") -> Project:
    tests = f"import socket, subprocess, sys\nfrom mod import double\n\ndef test_double():\n{body}"
    write_project(root, {"mod.py": source, "test_mod.py": tests})
    return Project(root, "mod.py", "double")


@pytest.mark.parametrize(("body", "policy"), [(COMPUTES, "strict"), (STARTS, "subprocess")])
async def test_what_the_tests_need_and_no_more(tmp_path: Path, body: str, policy: str) -> None:
    baseline = await project(tmp_path, body).baseline()
    assert baseline.policy == policy
    assert baseline.needs == ("" if policy == "strict" else "1 test passes only if they may start programs")
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]


async def test_missing_private_networks_name_the_remedy(tmp_path: Path) -> None:
    baseline = await project(tmp_path, CONNECTS).baseline()
    assert (
        "1 test seems to need sockets, which a run gets only with a network of its own, and that takes bubblewrap; "
        "`certo doctor` says how to get it"
    ) in baseline.problems


async def test_unwritable_files_do_not_suggest_sockets(tmp_path: Path) -> None:
    baseline = await project(tmp_path, "    double(2)\n    open('made', 'w')\n").baseline()
    assert "Permission denied: 'made'" in (*baseline.tests, *baseline.set_aside)[0].message
    assert not any("sockets" in problem for problem in baseline.problems)


@pytest.mark.bubblewrap
async def test_sockets_need_a_network_of_their_own(tmp_path: Path) -> None:
    at = project(tmp_path, CONNECTS)
    baseline = await at.baseline()
    assert baseline.policy == "strict"
    assert "Permission denied" in baseline.set_aside[0].message
    at.executor = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap())
    baseline = await at.baseline()
    assert baseline.policy == "loopback"
    assert baseline.needs == "1 test passes only if they may use sockets"
    assert baseline.problems == ()
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]


async def test_red_tests_without_refusals_stay_strict(tmp_path: Path) -> None:
    baseline = await project(tmp_path, COMPUTES, "def double(n):\n    return n\n").baseline()
    assert baseline.policy == "strict"
    assert [test.ruling for test in baseline.tests] == [Ruling.FAILED]


@pytest.mark.slow
async def test_red_tests_may_widen_the_policy(tmp_path: Path) -> None:
    """They get further if they may start programs."""
    asks = 'subprocess.check_output([sys.executable, "-S", "-c", "print(%d)" % n])'
    source = f"import subprocess, sys\n\ndef double(n):\n    return 1 + int({asks})\n"
    at = project(tmp_path, COMPUTES, source)
    baseline = await at.baseline()
    assert baseline.policy == "subprocess"
    assert baseline.needs == "tests that fail get further if they may start programs"
    assert baseline.failing[0].message.startswith("assert 3 == 4")
    verifier, problem = TestsVerifier(at.harnesses), at.problem(baseline)
    assert (await verifier.judge(at.candidate("1 +", "2 *"), problem)).ruling is Ruling.PASSED


async def test_candidates_are_judged_under_the_policy(tmp_path: Path) -> None:
    """The evidence says so."""
    at = project(tmp_path, STARTS)
    problem = at.problem(await at.baseline())
    verifier = TestsVerifier(at.harnesses)
    verdict = await verifier.judge(at.candidate("n + n", "2 * n"), problem)
    assert verdict.ruling is Ruling.PASSED
    assert verdict.tests is not None
    assert verdict.tests.isolation == (
        "Landlock, seccomp: no network, project read-only; within reach: modes and times of your files"
    )


async def test_copying_file_times_needs_subprocess_policy(
    tmp_path: Path,
) -> None:
    """The files are the user's."""
    body = "    shutil.copy2(__file__, os.environ['TMPDIR'])\n    assert double(2) == 4\n"
    at = project(tmp_path, f"    import os, shutil\n{body}")
    assert (await at.baseline()).policy == "subprocess"


async def test_configuration_above_the_root_is_read(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[tool:pytest]\naddopts = -q\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'above'\n")
    baseline = await project(tmp_path / "within", COMPUTES).baseline()
    assert baseline.policy == "strict"
    assert baseline.problems == ()
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]


async def test_programs_started_at_import_widen_the_policy(tmp_path: Path) -> None:
    at = project(tmp_path, COMPUTES)
    tests = tmp_path / "test_mod.py"
    tests.write_text("import subprocess\nsubprocess.run(['true'], check=True)\n" + tests.read_text())
    assert (await at.baseline()).policy == "subprocess"
