"""Processes for the tests that are prepared early serve the search that comes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.concurrency import background_tasks
from certo.edits.target import ByName
from certo.sandbox.process.process_table import descendants
from certo.sandbox.trace import trace_runs
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request, state_problem
from certo.sessions.assembly.request import Request
from certo.sessions.early_tests import _prepare_tests, begin, settings_matter
from certo.storage.location import journal_file, journal_folder, make_private
from certo.verification.dynamic.harness_source import FreshHarnesses, warm_harnesses
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.verification.options import TestOptions
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": "def double(x):\n    return x + 1\n",
    "test_sums.py": "from sums import double\n\ndef test_double():\n    assert double(3) == 6\n",
}


@pytest.fixture
def asked(tmp_path: Path) -> Request:
    document = write_project(tmp_path / "sums", FILES) / "sums.py"
    return Request(document=document, text=document.read_text(), place=ByName("double"))


async def test_search_uses_the_processes_prepared_early(asked: Request) -> None:
    environ = bare_environ()
    with trace_runs() as trace:
        async with background_tasks() as group:
            projects = begin(group, asked, environ, to_verify=False)
            while len(trace.runs) < 2:  # noqa: ASYNC110 - a trace has no event
                await anyio.sleep(0.01)
            before = {process.pid for process in descendants(os.getpid())}
            resolved = resolve_request(asked, environ)
            context = await find_execution_context(resolved, environ)
            key = context.project_key(resolved, background=False)
            pool = await group.start(projects.lend, key, lambda: False)
            problem = await state_problem(resolved, replace(context, kept=pool), lambda _: None, to_repair=True)
            sources = FreshHarnesses(
                executor=context.executor, interpreter=context.interpreter, options=TestOptions(), pool=pool
            )
            async with warm_harnesses(sources, problem) as harnesses:
                confirming = await harnesses.confirming(problem)
            after = {process.pid for process in descendants(os.getpid())}
    assert problem.baseline_run.prepared
    assert confirming.preparation is not None
    assert before
    assert after == before


async def test_verification_prepares_no_confirming_process(asked: Request) -> None:
    with trace_runs() as trace:
        async with background_tasks() as group:
            await _prepare_tests(asked, bare_environ(), WarmProjects(group), to_verify=True)
    assert [run.work.hash_seed for run in trace.runs] == [0]


async def test_known_projects_need_no_early_process(asked: Request, tmp_path: Path) -> None:
    environ = {**bare_environ(), "XDG_DATA_HOME": str(tmp_path / "data")}
    make_private(journal_file(journal_folder(environ), asked.document.parent))
    with trace_runs() as trace:
        async with background_tasks() as group:
            begin(group, asked, environ, to_verify=True)
            await anyio.wait_all_tasks_blocked()
            assert not descendants(os.getpid())
    assert not trace.runs


@pytest.mark.parametrize(
    ("name", "flags", "matters"),
    [
        ("CERTO_SEARCH__SECONDS", {"search.seconds": 5}, False),
        ("CERTO_TESTS__SECONDS", {}, True),
        ("CERTO_INTERPRETER", {}, True),
        ("OTHER", {"sandbox.slots": 1}, True),
    ],
)
def test_only_some_settings_matter(asked: Request, name: str, flags: dict[str, object], matters: bool) -> None:
    assert settings_matter(replace(asked, flags=flags), {name: "1"}) is matters


@pytest.mark.parametrize(
    ("table", "matters"),
    [("[tool.certo.cost]\nlint = 1", False), ("[tool.certo.tests]\nseconds = 3", True), ("[tool", True)],
)
def test_settings_of_the_project_may_matter(asked: Request, table: str, matters: bool) -> None:
    (asked.document.parent / "pyproject.toml").write_text(f"{table}\n")
    assert settings_matter(asked, {}) is matters


async def test_early_tests_follow_the_settings(asked: Request) -> None:
    (asked.document.parent / "pyproject.toml").write_text("[tool.certo.tests]\nseconds = 3\n")
    with trace_runs() as trace:
        async with background_tasks() as group:
            await _prepare_tests(asked, bare_environ(), WarmProjects(group), to_verify=True)
    assert [run.work.request["seconds"] for run in trace.runs] == [3]
