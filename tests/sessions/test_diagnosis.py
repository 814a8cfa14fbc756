"""What certo finds around a file: every fact true of a real project on disk, and what is missing named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from certo import __version__
from certo.sessions.assembly.remedies import own_remedy
from certo.sessions.diagnosis import Environment, examine
from certo.sessions.model_facts import Fact, Health
from certo.vocabulary.errors import BadRequest
from support.projects.environments import make_environment, make_program

ENVIRON = {"PATH": os.environ["PATH"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "tests").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (root / "shop.py").write_text("x = 1\n")
    (root / "tests" / "test_shop.py").write_text("def test(): pass\n")
    make_environment(root / ".venv", "pytest==8.1.0")
    return root


def snapshot(root: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in root.rglob("*")}


def about(found: Environment, subject: str) -> Fact:
    (fact,) = [fact for fact in found.facts if fact.subject == subject]
    return fact


async def test_a_project_in_order_is_usable(root: Path) -> None:
    for path in (root, root / "shop.py", root / "tests"):
        found = await examine(path, environ=ENVIRON)
        assert found.root.path == root
        assert found.usable
    assert found.interpreter is not None
    assert (found.interpreter.executable, found.interpreter.pytest) == (root / ".venv/bin/python", "8.1.0")
    assert (found.test_files, found.version) == (1, __version__)
    assert about(found, "pytest").says == "8.1.0"
    assert about(found, "tests").says == "1 test file"
    assert about(found, "root").details == ("the nearest directory with a pyproject.toml",)
    assert about(found, "settings").says == "all by default"


async def test_missing_pytest_and_tests_are_lacking(root: Path) -> None:
    (root / "tests" / "test_shop.py").unlink()
    make_environment(root / "bare")
    found = await examine(root, environ={**ENVIRON, "CERTO_INTERPRETER": "bare"})
    assert found.usable
    assert about(found, "pytest").health is Health.LACKING
    assert about(found, "pytest").remedy == f"{root}/bare/bin/python -m pip install pytest"
    assert about(found, "tests").health is Health.LACKING
    assert "not verified" in about(found, "tests").says


@pytest.mark.acceptance(21)
async def test_type_checker_or_its_absence_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that is skipped is reported."""
    monkeypatch.setattr("certo.sessions.diagnosis.own_tools", lambda: None)
    nobody = about(await examine(root, environ=ENVIRON), "types")
    assert (nobody.health, nobody.remedy) == (Health.LACKING, own_remedy("tools"))
    off = about(await examine(root, environ={**ENVIRON, "CERTO_VERIFY__TYPES": "off"}), "types")
    assert (off.health, off.says) == (Health.GOOD, "not checked: verify.types is off")
    make_program(root / ".venv" / "bin" / "ty", "#!/bin/sh\n")
    monkeypatch.setattr("certo.sessions.diagnosis.own_tools", lambda: root)
    assert about(await examine(root, environ=ENVIRON), "types").says == "checked by ty"


async def test_each_check_of_ones_own_is_found(root: Path) -> None:
    """A check that verify.custom names is said to be there only if its module is imported and it can be called."""
    (root / "checks.py").write_text("def plain(code):\n    return True\n\n\nLIMIT = 3\n")
    custom = "checks:plain,checks:gone,checks:LIMIT,nowhere:plain"
    found = await examine(root, environ={**ENVIRON, "CERTO_VERIFY__CUSTOM": custom})
    facts = [fact for fact in found.facts if fact.subject == "check"]
    assert [fact.health for fact in facts] == [Health.GOOD, *[Health.BROKEN] * 3]
    assert facts[0].says == "checks:plain can be called"
    for fact, words in zip(
        facts[1:], ("checks:gone cannot be had", "cannot be called", "No module named 'nowhere'"), strict=True
    ):
        assert words in fact.says
    assert not found.usable


async def test_an_environment_at_home_is_broken(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run may read the home directory, so the Python of an environment made in it cannot be used."""
    monkeypatch.setenv("HOME", str(make_environment(root.parent / "home").parent.parent))
    fact = about(await examine(root, environ={**ENVIRON, "CERTO_INTERPRETER": "../home"}), "interpreter")
    assert fact.health is Health.BROKEN
    assert "home, which runs may not read: it is or holds your home directory" in fact.says
    assert "python3 -m venv .venv" in fact.says


@pytest.mark.acceptance(21)
async def test_unusable_tool_is_not_promised(root: Path) -> None:
    """A tool that a project configures and does not have is lacking; one that a setting names has to be there."""
    (root / "mypy.ini").write_text("[mypy]\n")
    (root / "ruff.toml").touch()
    python = root / ".venv/bin/python"
    found = await examine(root, environ=ENVIRON)
    for subject, tool in (("types", "mypy"), ("lint", "ruff")):
        fact = about(found, subject)
        assert fact.health is Health.LACKING
        assert fact.says == f"{python} has no {tool}, so the check {subject} is left out"
        assert fact.remedy.startswith(f"install it: {python} -m pip install ")
        assert fact.remedy.endswith(f', or set verify.{subject} to "off"')
    assert found.usable
    found = await examine(root, environ={**ENVIRON, "CERTO_VERIFY__TYPES": "mypy", "CERTO_VERIFY__LINT": "flake8"})
    for subject, tool in (("types", "mypy"), ("lint", "flake8")):
        fact = about(found, subject)
        assert fact.health is Health.BROKEN
        assert fact.says == (
            f"{python} has no {tool}, and verify.{subject} insists on {tool}; install it: {python} -m pip install "
            f'{tool}, or set verify.{subject} to "auto" or "off"'
        )
    assert not found.usable


async def test_crashing_tool_is_not_promised(root: Path) -> None:
    (root / "ruff.toml").touch()
    make_program(root / ".venv" / "bin" / "ruff", "#!/bin/sh\necho 'error: unexpected argument --no-fix' >&2\nexit 2\n")
    about_lint = about(await examine(root, environ=ENVIRON), "lint")
    assert about_lint.health is Health.LACKING
    assert about_lint.says.startswith("On an empty module ruff broke down: error: unexpected argument --no-fix")
    named = await examine(root, environ={**ENVIRON, "CERTO_VERIFY__LINT": "ruff"})
    assert about(named, "lint").health is Health.BROKEN
    assert about(named, "lint").says.endswith('; put that right, or set verify.lint to "auto" or "off"')


async def test_working_tools_are_tried_and_promised(root: Path) -> None:
    (root / "mypy.ini").write_text("[mypy]\n")
    found = await examine(root, environ={**ENVIRON, "CERTO_INTERPRETER": sys.executable, "CERTO_VERIFY__LINT": "ruff"})
    assert (about(found, "types").says, about(found, "lint").says) == ("checked by mypy", "judged by ruff")
    assert found.usable


@pytest.mark.parametrize(
    ("lock", "command"),
    [("uv.lock", "uv add --dev pytest"), ("poetry.lock", "poetry add --group dev pytest")],
)
async def test_remedy_uses_the_projects_tool(root: Path, lock: str, command: str) -> None:
    (root / lock).touch()
    make_environment(root / "bare")
    found = await examine(root, environ={**ENVIRON, "CERTO_INTERPRETER": "bare"})
    assert about(found, "pytest").remedy == command


async def test_missing_chosen_interpreter_is_broken(root: Path) -> None:
    found = await examine(root, environ=ENVIRON, client={"interpreter": "/no/python"})
    assert not found.usable
    assert found.interpreter is None
    fact = about(found, "interpreter")
    assert fact.health is Health.BROKEN
    assert fact.says.startswith("the interpreter '/no/python' of your settings does not exist (/no/python); set ")


async def test_what_was_not_taken_is_said(root: Path) -> None:
    (root / ".venv" / "bin" / "python").unlink()
    (root / ".venv" / "bin" / "python3").unlink()
    found = await examine(root, environ=ENVIRON)
    details = about(found, "interpreter").details
    assert any(detail.startswith("not taken: the project's own environment .venv") for detail in details)


async def test_settings_have_sources_and_problems(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.certo.search]\nseed = 4\ngenerator = 'magic'\nsecnods = 3\n")
    found = await examine(root, environ={**ENVIRON, "CERTO_SEARCH__SECONDS": "9"})
    assert about(found, "settings").says == "3 set, the rest by default"
    assert set(about(found, "settings").details) == {
        "search.seed = 4 (pyproject.toml [tool.certo])",
        "search.generator = 'magic' (pyproject.toml [tool.certo])",
        "search.seconds = 9.0 (the environment)",
    }
    wrong = [fact.says for fact in found.facts if fact.health is Health.BROKEN]
    assert len(wrong) == 2
    assert "did you mean search.seconds?" in wrong[0]
    assert "there is no generator 'magic'; known: " in wrong[1]
    assert not found.usable


async def test_a_sandbox_the_user_weakened_is_lacking(root: Path) -> None:
    found = await examine(root, environ={**ENVIRON, "CERTO_SANDBOX__ISOLATION": "process"})
    fact = about(found, "sandbox")
    assert (fact.health, found.isolation) == (Health.LACKING, fact.says)
    assert fact.details == (
        "the setting sandbox.isolation asks for no more",
        "17 attacks were tried on it and came to nothing",
    )


async def test_missing_bubblewrap_has_a_remedy(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "apt-get").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(programs))
    # What was found for the same options before, in the same event loop, would be found again.
    environ = {**ENVIRON, "CERTO_SANDBOX__PROCESSES": "63"}
    fact = about(await examine(root, environ=environ), "sandbox")
    assert fact.health is Health.LACKING
    assert "bubblewrap is not installed" in fact.details[0]
    assert fact.remedy == "sudo apt-get install bubblewrap"
    found = await examine(root, environ={**environ, "CERTO_SANDBOX__ISOLATION": "bubblewrap"})
    assert (found.isolation, found.usable) == (None, False)
    assert about(found, "sandbox").remedy == "sudo apt-get install bubblewrap"


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        pytest.param(
            {"cluster": "tcp://127.0.0.1:9"},
            "the dask scheduler at tcp://127.0.0.1:9 does not answer",
            marks=pytest.mark.slow,
        ),
        ({"plugin": "nowhere"}, "nowhere"),
    ],
)
async def test_trouble_elsewhere_has_no_remedy_here(root: Path, setting: dict[str, str], words: str) -> None:
    """A program that this machine lacks would not help a cluster that does not answer."""
    found = await examine(root, environ=ENVIRON, client={"executor": setting})
    fact = about(found, "sandbox")
    assert (fact.health, fact.remedy) == (Health.BROKEN, "")
    assert words in fact.says


async def test_missing_path_is_refused(root: Path) -> None:
    with pytest.raises(BadRequest, match=r"there is no file or directory .*/nowhere; name one"):
        await examine(root / "nowhere", environ=ENVIRON)


async def test_examining_changes_nothing(root: Path) -> None:
    before = snapshot(root)
    await examine(root, environ=ENVIRON)
    assert snapshot(root) == before


async def test_without_a_model_none_is_missing(root: Path) -> None:
    fact = about(await examine(root, environ=ENVIRON), "model")
    assert (fact.health, fact.says) == (Health.GOOD, "none set up; certo's own generator needs none")


async def test_key_source_is_told_never_key(root: Path) -> None:
    """A model is told with where its key comes from and never the key."""
    environ = {**ENVIRON, "OPENAI_API_KEY": "sk-canary", "CERTO_MODEL__NAME": "gpt-5-mini"}
    found = await examine(root, environ=environ)
    fact = about(found, "model")
    assert (fact.health, fact.says) == (Health.GOOD, "openai:gpt-5-mini")
    assert "its key is the environment variable OPENAI_API_KEY" in fact.details
    assert any("$0.25 for a million tokens read and $2.00 written" in detail for detail in fact.details)
    assert "sk-canary" not in repr(found)


async def test_missing_key_is_lacking_until_needed(root: Path) -> None:
    """A missing key and a wrong name are lacking until a search needs them."""
    environ = {**ENVIRON, "CERTO_MODEL__NAME": "anthropic:claude-x", "CERTO_MODELS__FAST__NAME": "quick"}
    found = await examine(root, environ=environ)
    fact = about(found, "model")
    assert (found.usable, fact.health) == (True, Health.LACKING)
    assert fact.says == "anthropic:claude-x: its key is nowhere to be found"
    assert fact.remedy.startswith("put the key in the environment variable ANTHROPIC_API_KEY or the keyring")
    assert any("price is not known" in detail for detail in fact.details)
    assert "models.fast.name = 'quick' does not say whose model it is" in about(found, "models.fast").says
