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
    "Python-Markdown/markdown": ["pyyaml", "pytidylib", "pygments"],
    "aio-libs/multidict": ["typing-extensions", "pytest-cov", "pytest-codspeed", "objgraph", "psutil"],
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
        "typing-extensions",
        "exceptiongroup",
    ],
    "lidatong/dataclasses-json": [
        "mypy",
        "hypothesis",
        "marshmallow<4",
        "typing-inspect",
        "marshmallow-enum",
        "stringcase",
    ],
    "mahmoud/boltons": [],
    "more-itertools/more-itertools": ["six"],
    "networkx/networkx": ["numpy", "scipy", "pandas", "matplotlib", "pydot", "sympy", "lxml", "pillow"],
    "pypa/hatch": ["filelock", "pytest-mock", "hatchling", "trustme", "flit-core", "pyfakefs"],
    "python-attrs/attrs": ["hypothesis", "cloudpickle", "pympler", "zope.interface", "typing-extensions"],
    "pypa/packaging": ["pretend", "tomli_w", "hypothesis", "typing-extensions", "tomli"],
    "rasbt/mlxtend": ["pytest", "joblib", "scikit-learn", "pandas", "matplotlib", "imageio", "pynose"],
    "simonw/sqlite-utils": ["hypothesis", "pandas", "tabulate", "typing-extensions"],
    "theskumar/python-dotenv": ["sh", "click", "ipython"],
    "msiemens/tinydb": ["pyyaml", "pytest-cov"],
    "un33k/python-slugify": ["text-unidecode"],
    "python-humanize/humanize": ["freezegun", "pytest-cov", "typing-extensions"],
    "pytoolz/toolz": ["pytest-cov"],
}
"""Requirements of tests that no file of the project names, or that only older commits need."""

LINK = "certo-benchmark.pth"


def python_of(repo: str, clone: Path) -> Path:
    """Return the interpreter of a clone's environment, which is made if there is none.

    Raises:
        Unusable: The project cannot be installed.
    """
    python, complete = clone / ".venv/bin/python", clone / ".venv/.complete"
    beside = BESIDE.get(repo, [])
    had = complete.read_text(encoding="utf-8").split("\n") if complete.is_file() else None
    if had is None:
        subprocess.run([sys.executable, "-m", "venv", str(clone / ".venv")], check=True)
        # The newest commit may want a newer Python than those that are measured.
        pip(python, clone, "--editable", ".", "--ignore-requires-python")
        for wanted in ([*ALWAYS], *wanted_by(clone)):
            pip(python, clone, *wanted, needed=wanted == [*ALWAYS])
    for one in beside:
        if one not in (had or ()):
            pip(python, clone, one, needed=False)
    complete.write_text("\n".join(beside), encoding="utf-8")
    return python


def packages_of(python: Path) -> str:
    """Return the names and versions of what is installed in an environment."""
    packages = next((python.parent.parent / "lib").glob("python3.*/site-packages"))
    return " ".join(sorted(each.name for each in packages.glob("*.dist-info")))


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
