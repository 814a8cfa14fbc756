"""A virtual environment for each repository: the project installed editable, with the requirements of its tests."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from real.cases import Unusable

SECONDS = 600.0
"""Time limit of one call of pip."""

TEST_GROUPS = ("test", "tests", "testing")
"""Names by which projects call what their tests require, as extras and as dependency groups."""

ALWAYS = ("pytest", "setuptools")

BESIDE = {
    "Python-Markdown/markdown": ["pyyaml", "pytidylib"],
    "andialbrecht/sqlparse": [],
    "encode/httpcore": ["httpx", "trio", "anyio", "h2", "socksio", "pytest-httpbin", "pytest-trio"],
    "encode/starlette": [
        "httpx",
        "anyio<4.10",
        "trio",
        "jinja2",
        "python-multipart",
        "itsdangerous",
        "pyyaml",
        "databases",
    ],
    "lidatong/dataclasses-json": ["mypy", "hypothesis", "marshmallow", "typing-inspect"],
    "mahmoud/boltons": [],
    "networkx/networkx": ["numpy", "scipy", "pandas", "matplotlib"],
    "pypa/hatch": ["filelock", "pytest-mock", "hatchling", "trustme", "flit-core", "pyfakefs"],
    "python-attrs/attrs": ["hypothesis", "cloudpickle", "pympler", "zope.interface"],
    "pypa/packaging": ["pretend", "tomli_w", "hypothesis"],
    "rasbt/mlxtend": ["pytest", "joblib"],
    "simonw/sqlite-utils": ["hypothesis", "pandas", "tabulate"],
    "theskumar/python-dotenv": ["sh", "click"],
    "msiemens/tinydb": ["pyyaml", "pytest-cov"],
    "un33k/python-slugify": ["text-unidecode"],
    "python-humanize/humanize": ["freezegun", "pytest-cov"],
    "pytoolz/toolz": ["pytest-cov"],
}
"""Requirements of tests that no file of the project names, or that only older commits need."""

LINK = "certo-benchmark.pth"


def python_of(repo: str, clone: Path) -> Path:
    """Return the interpreter of a clone's environment, which is made if there is none.

    Raises:
        Unusable: The project cannot be installed.
    """
    python = clone / ".venv/bin/python"
    if (clone / ".venv/.complete").is_file():
        return python
    subprocess.run([sys.executable, "-m", "venv", str(clone / ".venv")], check=True)
    pip(python, clone, "--editable", ".")
    for wanted in ([*ALWAYS], *wanted_by(clone), *([one] for one in BESIDE.get(repo, []))):
        pip(python, clone, *wanted, needed=wanted == [*ALWAYS])
    (clone / ".venv/.complete").touch()
    return python


def pip(python: Path, clone: Path, *wanted: str, needed: bool = True) -> None:
    """Install in an environment.

    Raises:
        Unusable: It failed, and is `needed`.
    """
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    version = {"SETUPTOOLS_SCM_PRETEND_VERSION": "999.0", "HATCH_VCS_PRETEND_VERSION": "999.0"}
    done = subprocess.run(
        command, cwd=clone, env={**os.environ, **version}, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode and needed:
        raise Unusable(f"pip install {' '.join(wanted)}: {done.stderr.strip()[-200:]}")


def wanted_by(clone: Path) -> list[list[str]]:
    """Return the arguments of pip for each set of requirements that the project's files name for its tests."""
    wanted: list[list[str]] = []
    if (clone / "pyproject.toml").is_file():
        told = tomllib.loads((clone / "pyproject.toml").read_text(encoding="utf-8"))
        extras = told.get("project", {}).get("optional-dependencies", {})
        groups = told.get("dependency-groups", {})
        wanted += [["--editable", f".[{name}]"] for name in TEST_GROUPS if name in extras]
        wanted += [["--group", name] for name in TEST_GROUPS if name in groups]
    if (clone / "tox.ini").is_file():
        tox = configparser.ConfigParser(interpolation=None, strict=False)
        tox.read(clone / "tox.ini")
        lines = tox.get("testenv", "deps", fallback="").splitlines()
        wanted += [[line.strip()] for line in lines if re.fullmatch(r"\s*[\w.-]+([<>=!~].*)?", line)]
    for name in ("requirements-test.txt", "requirements/tests.txt", "dev.requirements.txt", "requirements-dev.txt"):
        if (clone / name).is_file():
            wanted.append(["-r", name])
    return wanted


def link(python: Path, clone: Path, file: str) -> None:
    """Make the environment import the file's package from the clone, wherever this commit has it."""
    root = (clone / file).parent
    while (root / "__init__.py").is_file():
        root = root.parent
    packages = next((clone / ".venv/lib").glob("python3.*/site-packages"))
    (packages / LINK).write_text(f"{root}\n", encoding="utf-8")
    module = ".".join((clone / file).relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    code = f"import {module} as module; print(module.__file__)"
    done = subprocess.run(
        [str(python), "-c", code], cwd=clone / ".venv", capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode:
        raise Unusable(f"{module} cannot be imported: {done.stderr.strip()[-200:]}")
    if Path(done.stdout.strip()).resolve() != (clone / file).resolve():
        raise Unusable(f"{module} is imported from {done.stdout.strip()}")
