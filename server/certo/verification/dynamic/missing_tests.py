"""Messages that say why no test counts for a target, each with what would change it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from certo.project.requirements import django_settings, install_for_tests, install_project, is_own_module, package_of
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.permissions import is_denied
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.vocabulary.display import amount
from certo.vocabulary.verdict import Ruling

_NO_MODULE = re.compile(r"No module named '([\w.]+)'")
_NO_METADATA = re.compile(r"PackageNotFoundError|DistributionNotFound")
_NO_SETTINGS = re.compile(r"settings are not configured|AppRegistryNotReady")
_UNKNOWN_OPTION = re.compile(r"unrecognized arguments|unknown hook|Missing required plugins|not found in `markers`")
_PLUGINS = {
    "--asyncio-": "pytest-asyncio",
    "--benchmark-": "pytest-benchmark",
    "--block-network": "pytest-recording",
    "--cov": "pytest-cov",
    "--cov-": "pytest-cov",
    "--no-cov": "pytest-cov",
    "--no-cov-": "pytest-cov",
    "--disable-socket": "pytest-socket",
    "--dist": "pytest-xdist",
    "--ds": "pytest-django",
    "--html": "pytest-html",
    "--maxprocesses": "pytest-xdist",
    "--numprocesses": "pytest-xdist",
    "--random-order": "pytest-random-order",
    "--random-order-": "pytest-random-order",
    "--randomly-": "pytest-randomly",
    "--reruns": "pytest-rerunfailures",
    "--reruns-": "pytest-rerunfailures",
    "--snapshot-": "syrupy",
    "--timeout": "pytest-timeout",
    "-n": "pytest-xdist",
}
"""Packages of pytest's plug-ins by their options, or by how these begin: the ones that projects configure most."""

_FOUND_BY_ITSELF = "certo takes files that match python_files, and those that tox, nox, make or CI run by name"

_EXAMPLES = "Examples outside the docstrings of the function, its class and module count if the project runs them, as"
_READ_FIRST = ("README.md", "README.rst", "README.txt")

_NAME_IT = 'name its file in pyproject.toml: [tool.certo.tests] paths = ["tests/FILE.py"]'


def why_no_test(
    harness: Harness, results: RunResults, counted: Sequence[CaseResult], *, complete: bool
) -> Iterator[str]:
    """Yield the reasons why no test counts, with a remedy each; nothing if one does, or if the run is not `complete`.

    A run that did not get through has a reason of its own.
    """
    if any(case.ruling is not Ruling.UNDECIDED for case in counted) or results.no_pytest or harness.target.is_hole:
        return
    if results.suite_status in (3, 4) or results.uncollected or results.stopped or not complete:
        return
    cases = list(results.tests.values())
    target = harness.target.qualname
    if counted:
        message = next((f" ({case.message})" for case in counted if case.message), "")
        yield f"all of the {amount(len(counted), 'test')} of {target} were skipped{message}; make one run here"
    elif not cases and harness.options.paths:
        yield f"tests.paths names no test that executes {target}; name others, or unset it"
    elif not cases and not results.rest:
        yield (
            f"no test file below {harness.root} leads to {target}: {_FOUND_BY_ITSELF}.{_examples_elsewhere(harness)} "
            f"Add a test, or {_NAME_IT}"
        )
    elif failing := [case for case in cases if case.ruling is Ruling.FAILED]:
        yield _about_failing(harness, failing)
    elif cases:
        yield (
            f"{amount(len(cases), 'test')} ran and none executed {target}; add one that calls it in its own process, "
            f"or {_NAME_IT}"
        )


def _examples_elsewhere(harness: Harness) -> str:
    """Return a sentence if examples name the target in a place where they count only if the project runs them."""
    shown = re.compile(rf"^\s*>>>.*\b{re.escape(harness.target.name)}\b", re.MULTILINE)
    if shown.search(harness.base):
        return f" {_EXAMPLES} by pytest's --doctest-modules."
    for name in _READ_FIRST:
        with suppress(OSError, ValueError):
            if shown.search((harness.root / name).read_text(encoding="utf-8")):
                return f" {_EXAMPLES} by pytest's --doctest-glob={name}."
    return ""


def _plugins_of(words: str) -> list[str]:
    """Return the packages that bring the options which pytest does not know; NAME for those of an unknown one."""
    options = [word for word in words.partition("unrecognized arguments:")[2].split() if word.startswith("-")]
    known = {option: _plugin_of(option.partition("=")[0]) for option in options}
    return [*sorted(set(known.values()) - {"NAME"}), *(["NAME"] if "NAME" in known.values() or not known else [])]


def _plugin_of(option: str) -> str:
    family = next((package for begin, package in _PLUGINS.items() if begin[-1] == "-" and option.startswith(begin)), "")
    return _PLUGINS.get(option) or family or "NAME"


def _about_failing(harness: Harness, failing: Sequence[CaseResult]) -> str:
    denied = sum(is_denied(case.message, harness.root) for case in failing)
    said = f"{amount(len(failing), 'test')} of {harness.target.qualname} failed for another reason"
    if not denied:
        return f"{said}; make one pass, or add one that needs less or a doctest to its docstring"
    which = "because" if denied == len(failing) else f"and {denied} of them because"
    needs = "a run has no network and cannot write into the project"
    return (
        f"{said}, {which} {needs}, and no setting gives it either; "
        "add a test that needs neither, or a doctest to its docstring"
    )


def remedies(harness: Harness, messages: Sequence[str]) -> Iterator[str]:
    """Yield what to do, once for each cause, about errors that kept test files or pytest itself from running."""
    root, python = harness.root, harness.interpreter.executable
    words = "\n".join(messages)
    missing = dict.fromkeys(found.partition(".")[0] for found in _NO_MODULE.findall(words))
    own = [name for name in missing if is_own_module(root, harness.path, name)]
    others = [name for name in missing if name not in own]
    for_tests = install_for_tests(python, root)
    if own or _NO_METADATA.search(words):
        command = install_project(python, package_of(root, harness.path))
        yield f"the project is not installed in its environment; install it: {command}"
    if others and not for_tests:
        yield f"install what provides {' and '.join(others)}: {python} -m pip install NAME"
    if _UNKNOWN_OPTION.search(words) and not for_tests:
        names = " ".join(_plugins_of(words))
        yield f"install the plug-ins of pytest that the project's configuration needs: {python} -m pip install {names}"
    if for_tests and (others or _UNKNOWN_OPTION.search(words)):
        yield f"the environment lacks what the tests need; install it: {for_tests}"
    if _NO_SETTINGS.search(words):
        module = django_settings(root) or "PROJECT.settings"
        yield (
            f"Django has no settings; install pytest-django ({python} -m pip install pytest-django) and name them in "
            f"pytest.ini: [pytest] DJANGO_SETTINGS_MODULE = {module}"
        )
