"""The floors hold, and what must start quickly imports little."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from certo.cli.runs.early_start import FIRST_STEPS, FURTHER_STEPS, STEPS

ROOT = Path(__file__).parents[2]


def loaded_by(statement: str) -> set[str]:
    """The top-level names in sys.modules after a fresh interpreter ran a statement."""
    program = f"{statement}; import sys; print(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    return set(ran.stdout.split())


def test_every_room_imports_only_rooms_below_it():
    lint = Path(sys.executable).with_name("lint-imports")
    guests = ROOT / "server" / "certo" / "guests"
    path = os.pathsep.join(str(guests / name) for name in ("worker", "builtin", "calls"))
    ran = subprocess.run(
        [lint, "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("module", ["certo", "certo.cli.main"])
def test_naming_the_command_loads_nothing_heavy(module):
    heavy = {"anyio", "httpx", "httpx2", "pydantic", "pygls", "lsprotocol", "rich", "pytest", "dask", "distributed"}
    assert loaded_by(f"import {module}") & heavy == set()


def test_naming_a_model_loads_little():
    """A program that only names its model waits for none of what asking it takes; the interpreter's modules count."""
    program = "import sys; from certo import LLM; LLM('openai:gpt-5-mini'); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    modules = ran.stdout.split()
    assert len(modules) <= 141, modules
    assert not {"anyio", "pydantic", "certo.settings", "certo.sandbox"} & set(modules)


def test_naming_the_agents_command_loads_no_sdk():
    assert (
        loaded_by("import certo.cli.mcp") & {"mcp", "mcp_types", "pydantic", "anyio", "uvicorn", "starlette"} == set()
    )


@pytest.mark.parametrize("command", ["generate", "verify"])
def test_commands_begin_before_their_imports(command):
    """The sandbox is tried out while the rest is imported, which therefore has to come later."""
    assert loaded_by(f"import certo.cli.{command}") & {"pydantic", "rich", "httpx", "httpx2", "sqlite3"} == set()


def test_early_tests_load_no_settings():
    """Loading them would take longer than the processes for the tests take to start."""
    loaded = loaded_by("import certo.cli.generate, certo.sessions.early_tests")
    assert "certo" in loaded
    assert loaded.isdisjoint({"pydantic", "rich", "email"})


@pytest.mark.parametrize("command", ["search_run", "verify_run"])
def test_steps_import_only_what_commands_need(command):
    steps = (*FIRST_STEPS, *STEPS, *FURTHER_STEPS)
    program = f"import sys, certo.cli.runs.{command}; print([name for name in {steps!r} if name not in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    assert ran.stdout.strip() == "['certo.sessions.early_tests']"


def test_guests_import_only_the_standard_library():
    """Beside it they import each other and the tools of the project, never certo."""
    guests = ROOT / "server" / "certo" / "guests"
    programs = [path for path in guests.rglob("*.py") if path != guests / "__init__.py"]
    allowed = {
        "certo_worker",
        "certo_builtin",
        "certo_calls",
        "pytest",
        "_pytest",
        "mypy",
        "numpy",
        "pandas",
        *sys.stdlib_module_names,
    }
    imported = {f"{path.name}: {name}" for path in programs for name in _imported(path) if name not in allowed}
    assert programs
    assert imported == set()


def _imported(path: Path) -> set[str]:
    """The top-level names of all that a file imports, wherever it does."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}
