"""`certo watch`: a save that breaks a test leads to a diff, and the signal of the terminal ends it."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import anyio
import pytest

from certo.cli.runs.watch_run import carry_out
from certo.sessions.ambient.repairs import AmbientRepairs, Symptom
from certo.sessions.assembly.request import Request
from certo.sessions.searches import Searches
from certo.vocabulary.errors import BadRequest
from support.cli.command import EAGER, certo, environment
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

PROJECT = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": "def double(n):\n    return n + n\n",
    "test_sums.py": "from sums import double\n\n\ndef test_double():\n"
    "    assert [double(n) for n in (1, 5)] == [2, 10]\n",
}


@pytest.mark.parametrize(
    ("words", "variables", "code", "said"),
    [
        (["missing"], {}, 2, "missing is no folder"),
        (["--interpreter", "/nope"], {}, 3, "'/nope' of your settings does not exist"),
        ([], {"CERTO_SEARCH__SECONDS": "many"}, 2, "CERTO_SEARCH__SECONDS"),
        ([], {"CERTO_CRITERIA__CLEAR__EXPRESSION": "It is clear."}, 2, "'clear' would ask a language model"),
        ([], {"CERTO_VERIFY__PLUGINS": '["nobody"]'}, 2, "nobody"),
    ],
    ids=["folder", "interpreter", "setting", "criterion", "plugin"],
)
def test_what_prevents_all_repairs_is_said(
    tmp_path: Path, words: list[str], variables: dict[str, str], code: int, said: str
) -> None:
    ran = certo(tmp_path, "watch", *words, **variables)
    assert ran.code == code
    assert said in ran.err


def test_save_that_breaks_a_test_is_answered(tmp_path: Path) -> None:
    root = write_project(tmp_path / "sums", PROJECT)
    with (
        (tmp_path / "said").open("wb") as said,
        subprocess.Popen(
            [*EAGER, "watch", "--interpreter", str(bare_python())],
            cwd=root,
            env=environment(tmp_path),
            stdout=said,
            stderr=subprocess.PIPE,
        ) as watch,
    ):
        assert watch.stderr is not None
        assert b"Watching" in watch.stderr.readline()
        (root / "sums.py").write_text("def double(n):\n    return n - n\n")
        deadline = time.monotonic() + 500
        while "apply it" not in (shown := (tmp_path / "said").read_text(encoding="utf-8")):
            assert watch.poll() is None
            assert time.monotonic() < deadline, shown
            time.sleep(0.1)
        watch.send_signal(signal.SIGINT)
        assert watch.wait(60) == 0
    assert "A verified one-line fix: n - n → n + n (sums.py::double)" in shown
    assert "+    return n + n" in shown
    command = f"certo generate sums.py::double --apply --generator builtin --interpreter {bare_python()}"
    assert command in shown.replace("\n", "")


async def test_reader_that_leaves_ends_it() -> None:
    async def show(_: Path) -> None:
        raise BrokenPipeError

    async def ask(_: Symptom) -> Request:
        raise BadRequest

    with anyio.fail_after(60), pytest.RaisesGroup(BrokenPipeError):
        async with anyio.create_task_group() as group:
            searches = Searches(group, environ={})
            repairs = AmbientRepairs(group=group, searches=searches, ask=ask)
            carry_out(repairs, group, show)
            searches.subscribe(lambda *_: None, said=lambda _: repairs.changed(Path()))
            searches._subscribers.say("an offer has appeared")
