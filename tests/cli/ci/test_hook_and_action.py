"""The pre-commit hook is run by pre-commit itself, and the steps of the action as the shell steps they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.projects.bare_environment import bare_python

ROOT = Path(__file__).parents[3]
GOOD = "def add(a: int, b: int) -> int:\n    return a + b\n"
BAD = GOOD.replace("+", "-")
TESTS = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n    assert add(4, 0) == 4\n"


def git(root: Path, *words: str) -> None:
    """Run git in a folder, as somebody."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository whose last commit is good, and whose index is not."""
    root = tmp_path / "calc"
    root.mkdir()
    (root / "calc.py").write_text(GOOD, encoding="utf-8")
    (root / "test_calc.py").write_text(TESTS, encoding="utf-8")
    (root / "pyproject.toml").touch()
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    (root / "calc.py").write_text(BAD, encoding="utf-8")
    git(root, "add", "-A")
    return root


def environment(tmp_path: Path) -> dict[str, str]:
    """Return the variables of a machine that has certo, and a project with an interpreter of its own."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    own = {"XDG_STATE_HOME": str(tmp_path / "state"), "PRE_COMMIT_HOME": str(tmp_path / "pre-commit")}
    return {**os.environ, **own, "PATH": path, "CERTO_INTERPRETER": str(bare_python())}


def hook() -> str:
    """Return the entry of the hook in the repository."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    found = re.search(r"entry: (.*)", text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [("a - b", 1, "calc.py::add  failed"), pytest.param("b + a", 0, "Passed", marks=pytest.mark.slow)],
    ids=["fails", "passes"],
)
def test_hook_refuses_what_fails(project: Path, tmp_path: Path, body: str, code: int, said: str) -> None:
    """The hook's own words, in the environment of this interpreter: pre-commit would install certo from the network."""
    (project / "calc.py").write_text(GOOD.replace("a + b", body), encoding="utf-8")
    configuration = project / ".pre-commit-config.yaml"
    configuration.write_text(
        "repos:\n- repo: local\n  hooks:\n  - id: certo-verify\n    name: certo verify\n"
        f"    entry: {hook()}\n    language: system\n    types: [python]\n    pass_filenames: false\n"
    )
    words = [sys.executable, "-m", "pre_commit"]
    subprocess.run([*words, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")], check=True, timeout=60)
    git(project, "add", "-A")
    known = environment(tmp_path)
    ran = subprocess.run(
        [*words, "run"], cwd=project, env=known, capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert said in ran.stdout


def steps() -> list[str]:
    """Return the shell text of each step of the action."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    found = re.findall(r"      run: \|\n((?:        .*\n)+)", text)
    return [re.sub("(?m)^        ", "", each) for each in found]


@pytest.mark.slow
def test_second_step_of_the_action(project: Path, tmp_path: Path) -> None:
    """The first one installs certo; here that of this interpreter stands where it would be."""
    install, verify = steps()
    assert "-m venv" in install
    place = tmp_path / "runner" / "certo" / "bin"
    place.mkdir(parents=True)
    (place / "certo").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m certo "$@"\n', encoding="utf-8")
    (place / "certo").chmod(0o755)
    inputs = {"REVISION": "", "BASE": "", "FAIL_ON": "failed", "INTERPRETER": "", "SARIF": "out dir.sarif", "JUNIT": ""}
    known = {**environment(tmp_path), **inputs, "RUNNER_TEMP": str(tmp_path / "runner")}
    shell = [shutil.which("bash") or "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", verify]
    ran = subprocess.run(shell, cwd=project, env=known, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert ran.stdout.startswith("::error file=calc.py,line=1,title=certo%3A A changed function fails a check (add)::")
    assert (project / "out dir.sarif").is_file()
    based = {**known, "BASE": "nowhere"}
    ran = subprocess.run(shell, cwd=project, env=based, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 2
    assert "there is no revision 'origin/nowhere'" in ran.stderr


def test_steps_take_inputs_as_variables_only() -> None:
    """An expression inside a shell text would run what somebody wrote into a branch's name."""
    assert all("${{" not in step for step in steps())
