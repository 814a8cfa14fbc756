"""Choosing the Python that runs the project's code, with real environments, and the reason in words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from certo.project.interpreter import find_interpreter
from certo.project.interpreter_candidates import other_environments
from certo.vocabulary.errors import NoInterpreter
from support.projects.environments import make_aged_python, make_environment, make_program

PYTEST = "pytest==8.0.0"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    return root


def path_of(*programs: Path) -> dict[str, str]:
    return {"PATH": ":".join(str(program.parent) for program in programs)}


async def test_the_setting_wins_over_everything(root: Path, tmp_path: Path) -> None:
    make_environment(root / ".venv", PYTEST)
    wanted = make_environment(tmp_path / "wanted", "pytest==7.4.0")
    for chosen in (str(wanted), str(tmp_path / "wanted"), "../wanted/bin/python"):
        found = await find_interpreter(root, chosen=chosen, environ={})
        assert found.executable.resolve() == wanted.resolve()
        assert found.pytest == "7.4.0"
        assert found.why == f"the setting interpreter = {chosen!r}"


async def test_the_setting_may_name_a_program(root: Path, tmp_path: Path) -> None:
    """The program is found on PATH."""
    wanted = make_environment(tmp_path / "wanted", PYTEST)
    (wanted.parent / "python9.9").symlink_to(wanted)
    found = await find_interpreter(root, chosen="python9.9", environ=path_of(wanted))
    assert found.pytest == "8.0.0"


@pytest.mark.parametrize("chosen", ["nowhere/python", "python-that-is-not", "~/not/there"])
async def test_a_missing_chosen_interpreter_is_named(root: Path, chosen: str) -> None:
    make_environment(root / ".venv", PYTEST)
    with pytest.raises(NoInterpreter, match=r"does not exist .*; set `interpreter` to a Python program") as caught:
        await find_interpreter(root, chosen=chosen, environ={"PATH": "/usr/bin"})
    assert repr(chosen) in str(caught.value)


async def test_a_chosen_interpreter_too_old_is_named(root: Path, tmp_path: Path) -> None:
    old = make_aged_python(tmp_path / "old" / "python", (3, 7, 9))
    with pytest.raises(NoInterpreter, match=r"old/python' of your settings is Python 3\.7\.9, and certo needs 3\.8"):
        await find_interpreter(root, chosen=str(old), environ={})


async def test_a_chosen_non_python_is_named(root: Path, tmp_path: Path) -> None:
    shell = make_program(tmp_path / "shell", "#!/bin/sh\necho hello; exit 3\n")
    with pytest.raises(NoInterpreter, match=r"is not a working Python \(exit code 3: hello\)"):
        await find_interpreter(root, chosen=str(shell), environ={})


async def test_the_active_environment_beats_the_projects_own(root: Path, tmp_path: Path) -> None:
    make_environment(root / ".venv", PYTEST)
    active = make_environment(tmp_path / "active", "pytest==7.1.0")
    found = await find_interpreter(root, chosen=None, environ={"VIRTUAL_ENV": str(tmp_path / "active")})
    assert (found.executable, found.pytest) == (active, "7.1.0")
    assert found.why == f"the active environment VIRTUAL_ENV={tmp_path / 'active'}"
    found = await find_interpreter(root, chosen=None, environ={"CONDA_PREFIX": str(tmp_path / "active")})
    assert found.executable == active


def test_other_environments_are_named(root: Path, tmp_path: Path) -> None:
    own, active = make_environment(root / ".venv"), make_environment(tmp_path / "active")
    assert other_environments(root, own) == ()
    assert other_environments(root, active) == (".venv",)
    make_environment(root / "env")
    assert other_environments(root, own) == ("env",)


async def test_certos_own_active_environment_is_not_taken(root: Path) -> None:
    own = make_environment(root / "venv", PYTEST)
    found = await find_interpreter(root, chosen=None, environ={"VIRTUAL_ENV": sys.prefix})
    assert found.executable == own
    assert any("is the one certo is installed in, not the project's" in sentence for sentence in found.tried)


async def test_the_conda_base_environment_is_not_taken(root: Path, tmp_path: Path) -> None:
    own = make_environment(root / ".venv")
    make_environment(tmp_path / "conda", PYTEST)
    environ = {"CONDA_PREFIX": str(tmp_path / "conda"), "CONDA_DEFAULT_ENV": "base"}
    found = await find_interpreter(root, chosen=None, environ=environ)
    assert found.executable == own
    assert any("conda's own base environment" in sentence for sentence in found.tried)


async def test_the_projects_environments_are_taken_in_order(root: Path) -> None:
    """They are taken even without pytest."""
    for name in ("env", "venv", ".venv"):
        own = make_environment(root / name)
        found = await find_interpreter(root, chosen=None, environ={})
        assert (found.executable, found.pytest) == (own, None)
        assert found.why == f"the project's own environment {name}"
        assert found.version == sys.version_info[:3]


async def test_a_conda_environment_in_root_is_found(root: Path) -> None:
    own = make_environment(root / ".conda")
    (root / ".conda" / "pyvenv.cfg").rename(root / "kept.cfg")
    (root / ".conda" / "conda-meta").mkdir()
    found = await find_interpreter(root, chosen=None, environ={})
    assert found.why == "the project's conda environment .conda"
    assert found.executable.resolve() == own.resolve()


async def test_environment_of_the_repository_is_found(root: Path) -> None:
    """As a workspace of several projects has one, which is not looked for beyond the repository.

    An unpacked archive is no repository, but its outermost directory is marked as a project.
    """
    make_environment(root / ".venv")
    inner = root / "packages" / "a"
    inner.mkdir(parents=True)
    environ = {"PATH": ""}
    assert "certo's own" in (await find_interpreter(inner, chosen=None, environ=environ)).why
    for mark in ("pyproject.toml", ".git"):
        (root / mark).mkdir()
        found = await find_interpreter(inner, chosen=None, environ=environ)
        assert found.why == f"the environment .venv of {root}"
    (inner / ".git").mkdir()
    assert (await find_interpreter(inner, chosen=None, environ=environ)).why != found.why


async def test_a_broken_environment_is_skipped_with_reason(root: Path, tmp_path: Path) -> None:
    own = make_environment(root / ".venv", PYTEST)
    own.unlink()
    own.symlink_to(tmp_path / "gone")
    (own.parent / "python3").unlink()
    other = make_environment(root / "venv")
    found = await find_interpreter(root, chosen=None, environ={})
    assert found.executable == other
    assert any(
        sentence.startswith("the project's own environment .venv (") and "No such file" in sentence
        for sentence in found.tried
    )


async def test_poetry_is_asked_where_its_environment_is(root: Path, tmp_path: Path) -> None:
    own = make_environment(tmp_path / "cache" / "proj-py3", PYTEST)
    (root / "pyproject.toml").write_text("[tool.poetry]\nname = 'p'\n")
    poetry = make_program(
        tmp_path / "bin" / "poetry",
        f"""\
        #!/bin/sh
        [ "$*" = "env info -p" ] && [ "$(pwd)" = "{root}" ] && echo "{own.parent.parent}"
        """,
    )
    found = await find_interpreter(root, chosen=None, environ=path_of(poetry, Path("/usr/bin/env")))
    assert found.executable == own
    assert found.why == f"the project's poetry environment {own.parent.parent}"


async def test_a_poetry_project_without_poetry_says_so(root: Path) -> None:
    (root / "poetry.lock").touch()
    found = await find_interpreter(root, chosen=None, environ={"PATH": ""})
    assert any("there is no poetry on the PATH" in sentence for sentence in found.tried)


async def test_pdm_and_uv_environments_are_found(root: Path, tmp_path: Path) -> None:
    own = make_environment(tmp_path / "elsewhere")
    (root / "uv.lock").touch()
    found = await find_interpreter(root, chosen=None, environ={"UV_PROJECT_ENVIRONMENT": str(tmp_path / "elsewhere")})
    assert found.why == f"the project's uv environment {tmp_path / 'elsewhere'}"
    (root / ".pdm-python").write_text(f"{own}\n")
    found = await find_interpreter(root, chosen=None, environ={})
    assert found.why == "the Python pdm uses for the project, which .pdm-python names"
    assert found.executable == own


async def test_without_environment_a_python_with_pytest_wins(root: Path, tmp_path: Path) -> None:
    """It is the first one on PATH that can import pytest."""
    bare = make_environment(tmp_path / "bare")
    good = make_environment(tmp_path / "good", PYTEST)
    found = await find_interpreter(root, chosen=None, environ=path_of(good, bare))
    assert found.executable.parent == good.parent
    assert found.why.startswith("PATH's python3: the project has no environment of its own")
    found = await find_interpreter(root, chosen=None, environ=path_of(bare, good))
    assert found.executable == Path(sys.executable)
    version = ".".join(map(str, sys.version_info[:3]))
    assert f"PATH's python3 ({bare.parent / 'python3'}, {version}): cannot import pytest" in found.tried


async def test_interpreters_lacking_dependencies_come_last(root: Path, tmp_path: Path) -> None:
    """The reason names the missing distributions."""
    (root / "pyproject.toml").write_text(
        "[project]\nname = 'p'\nrequires-python = '>=3.8'\n"
        "dependencies = ['numbo[x]>=1', 'tomli; python_version<\"3\"']\n"
    )
    lacking = make_environment(tmp_path / "lacking", PYTEST)
    having = make_environment(tmp_path / "having", PYTEST, "numbo==1.0")
    (lacking.parent / "python").unlink()
    (having.parent / "python3").unlink()
    found = await find_interpreter(root, chosen=None, environ=path_of(lacking, having))
    assert found.executable.parent == having.parent
    assert any("lacks what the project declares: numbo" in sentence for sentence in found.tried)
    found = await find_interpreter(root, chosen=None, environ=path_of(lacking))
    assert found.executable.parent == lacking.parent
    assert found.why.endswith("but it lacks what the project declares: numbo")


async def test_a_python_below_requires_python_comes_last(root: Path) -> None:
    (root / "pyproject.toml").write_text("[project]\nname = 'p'\nrequires-python = '>=3.99'\n")
    found = await find_interpreter(root, chosen=None, environ={"PATH": ""})
    assert found.executable == Path(sys.executable)
    assert found.why.endswith("but it is older than the Python 3.99 the project asks for")


async def test_python_version_files_are_a_hint(root: Path, tmp_path: Path) -> None:
    hinted = make_environment(tmp_path / "pyenv" / "versions" / "3.9.1", PYTEST)
    (root / ".python-version").write_text("# ours\n3.9.1\n")
    environ = {"PYENV_ROOT": str(tmp_path / "pyenv"), "PATH": ""}
    assert (await find_interpreter(root, chosen=None, environ=environ)).executable == hinted
    (root / ".python-version").write_text("3.9.2\n")
    found = await find_interpreter(root, chosen=None, environ=environ)
    assert any("3.9.2, which pyenv has not installed (`pyenv install 3.9.2`)" in sentence for sentence in found.tried)


async def test_a_bare_folder_gets_certos_own_interpreter(root: Path) -> None:
    found = await find_interpreter(root, chosen=None, environ={})
    assert found.executable == Path(sys.executable)
    assert found.pytest == pytest.__version__
    assert f"there is no .venv or venv in {root}" in found.tried
