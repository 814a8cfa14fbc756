"""What every test may rely on."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support.folder_end import end_all, enter

_DEAREST = ("e2e", "cli", "sessions", "verification", "documents", "contracts", "api")
"""The folders whose files take longest, which begin first: at the end no worker waits for the file of another."""

_CORPUS = Path(__file__).parents[1].parent / "shared" / "data" / "hostile.json"

# How long an example takes says how busy the machine is, and nothing else.
settings.register_profile("certo", deadline=None)
settings.register_profile("usual", settings.get_profile("certo"), max_examples=30)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples in the usual run, which leaves out what is slow, than where everything is tried."""
    is_usual = re.search(r"(?<!or )not slow", config.getoption("markexpr"))
    settings.load_profile("usual" if is_usual else "certo")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected, nor later among them: they live to the end, and are many.

    Their rewritten code is kept, even if the environment forbids to write bytecode: to rewrite it takes as long as all
    else in collecting, in each worker.
    """
    gc.disable()
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = writes
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the corpus of hostile candidates from wherever it is; it is kept beside the project, not in it."""
    parser.addoption(
        "--hostile-corpus",
        type=Path,
        default=_CORPUS if _CORPUS.is_file() else None,
        help="a JSON file of hostile candidates, with the project they are written for in hostile_project/ beside it",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow what `usual_cases` and `usual_tests` do not name, before any are left out for their marks.

    The folders of dear tests come first, and with `--no-loadscope-reorder` pytest-xdist gives files out in this order.

    Raises:
        UsageError: One of them names what there is not.
    """
    items.sort(key=_turn)
    unmet: dict[str, set[str]] = {}
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        test, _, _ = item.nodeid.partition("[")
        if (cases := item.get_closest_marker("usual_cases")) is not None:
            _leave_out_unnamed(item, cases, {item.callspec.id}, unmet.setdefault(test, set(cases.args)))
        if (tests := item.get_closest_marker("usual_tests")) is not None:
            within = unmet.setdefault(test.rpartition("::")[0], set(tests.args))
            _leave_out_unnamed(item, tests, {item.originalname, item.name}, within)
    if any("::" in argument for argument in config.args):
        return
    for where, missing in unmet.items():
        if missing:
            raise pytest.UsageError(f"{where} has no {', '.join(map(repr, sorted(missing)))}; correct its usual marks")


def _turn(item: pytest.Item) -> int:
    """Return the place of a test's folder among those that begin first; all others come after them as they are."""
    here = Path(__file__).parent
    folder = item.path.relative_to(here).parts[0] if item.path.is_relative_to(here) else ""
    return _DEAREST.index(folder) if folder in _DEAREST else len(_DEAREST)


def _leave_out_unnamed(item: pytest.Item, usual: pytest.Mark, names: set[str], unmet: set[str]) -> None:
    """Mark a test slow that a mark knows by none of its names, and strike those from what the mark still misses."""
    unmet -= names
    if names.isdisjoint(usual.args):
        item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def _journals_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test write into the journals of whoever runs it, nor a process that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _processes_end_with_the_run() -> Iterator[None]:
    """End the processes that served the tests of the last folder."""
    yield
    end_all()


@pytest.fixture(scope="module", autouse=True)
def _processes_end_with_their_folder(request: pytest.FixtureRequest) -> None:
    """End the processes that served the tests of another folder."""
    enter(request.path.parent)


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, which is what the daemon runs on."""
    return "asyncio"
