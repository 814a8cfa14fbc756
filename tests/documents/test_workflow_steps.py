"""Steps of the workflows that are more than a target of the Makefile, run as the plain shell that they are."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from certo import __version__
from support.documents.pages import ROOT

WORKFLOWS = ROOT / ".github" / "workflows"
SHELLS = {None: ("bash", "-e"), "bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail")}
"""What GitHub starts for a step that names no shell, and for one that names bash."""

PACKAGES = ("certo-1-py3-none-any.whl", "certo-1.tar.gz", "certo.cdx.json", "certo.vsix")
NOW, BEFORE = "search  4.0 s\n", "search  3.0 s\n"
GH = """\
#!/bin/sh
echo "$@" >>asked
if [ "$1 $2" = "run list" ]; then echo "$LAST"; fi
if [ "$1 $2" = "run download" ]; then mkdir -p before/last; printf "$BEFORE" >before/last/figures.txt; fi
"""
"""Stands in for GitHub's own program, which needs its servers."""


def steps(name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the steps of a workflow that run a shell."""
    for job in yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8"))["jobs"].values():
        yield from (step for step in job.get("steps", ()) if "run" in step)


def run(workflow: str, part: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the one step that has this part, with the stand-ins of the folder `bin` before other programs."""
    [step] = [step for step in steps(workflow) if part in step["run"]]
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    return subprocess.run(
        [*SHELLS[step.get("shell")], "-c", step["run"]],
        cwd=folder, env={**os.environ, "PATH": path, **environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def stand_in(folder: Path, name: str, script: str) -> None:
    """Put a program into the folder `bin`."""
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / name).write_text(script, encoding="utf-8")
    (folder / "bin" / name).chmod(0o755)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with packages as an earlier job has left them."""
    (tmp_path / "packages").mkdir()
    for name in PACKAGES:
        (tmp_path / "packages" / name).touch()
    return tmp_path


@pytest.mark.parametrize("workflow", sorted(path.stem for path in WORKFLOWS.glob("*.yml")))
def test_steps_are_plain_shell(workflow: str) -> None:
    """What GitHub would fill in comes by variables instead: a title or a tag could be a command."""
    found = list(steps(workflow))
    assert found
    for step in found:
        assert "${{" not in step["run"]
        subprocess.run(["bash", "-n", "-c", step["run"]], check=True)


@pytest.mark.parametrize(("tag", "code"), [(f"v{__version__}", 0), (f"v{__version__}.1", 1), (__version__, 1)])
def test_a_tag_has_to_be_the_version(tag: str, code: int) -> None:
    assert run("release", "__version__", ROOT, TAG=tag).returncode == code


@pytest.mark.parametrize(("named", "code"), [("ada/certo", 0), ("ada/certo2", 1)])
def test_packages_have_to_name_their_repository(named: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.x]\nname = "ada/certo"\n', encoding="utf-8")
    done = run("release", "pyproject.toml", tmp_path, REPOSITORY=named)
    assert done.returncode == code
    assert (f"make repository NAME={named}" in done.stdout) == bool(code)


def test_only_wheel_and_sdist_go_to_pypi(packages: Path) -> None:
    assert run("release", "mkdir dist", packages).returncode == 0
    assert {file.name for file in (packages / "dist").iterdir()} == set(PACKAGES[:2])


def test_a_release_has_all_packages(packages: Path) -> None:
    stand_in(packages, "gh", GH)
    assert run("release", "gh release", packages, TAG="v1.0.0").returncode == 0
    asked = (packages / "asked").read_text(encoding="utf-8")
    assert asked.startswith("release create v1.0.0 --verify-tag ")
    assert [name for name in PACKAGES if f"packages/{name}" not in asked] == []


def test_figures_of_a_failed_benchmark_are_kept(tmp_path: Path) -> None:
    stand_in(tmp_path, "make", f"#!/bin/sh\nprintf '{NOW}'\nexit 2\n")
    assert run("nightly", "make --keep-going bench", tmp_path).returncode == 2
    assert (tmp_path / "figures/figures.txt").read_text(encoding="utf-8") == NOW


@pytest.mark.parametrize(
    ("last", "shown"), [("41", f"-{BEFORE}+{NOW}"), ("", "No figures are kept of the night before.\n")]
)
def test_figures_stand_beside_the_last_ones(last: str, shown: str, tmp_path: Path) -> None:
    stand_in(tmp_path, "gh", GH)
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/figures.txt").write_text(NOW, encoding="utf-8")
    summary = tmp_path / "summary"
    done = run("nightly", "gh run list", tmp_path, LAST=last, BEFORE=BEFORE, GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 0, done.stderr
    assert shown in summary.read_text(encoding="utf-8")
