"""Requests to another machine arrive whole, and replies are believed only in one shape."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.sandbox.cluster.messages import (
    IsolationDemand,
    MalformedReply,
    RunReply,
    RunRequest,
    answer_from_text,
    answer_to_text,
    isolation_from_text,
    moved,
    order_from_text,
    order_to_text,
    refusal_to_text,
)
from certo.sandbox.executor import Apart, Ending, Finished, Interpreter, Limits, Policy, Program, Work
from certo.vocabulary.errors import NoInterpreter, SandboxUnavailable

HERE, THERE, HOME = Path("/here/till"), Path("/cache/0123/till"), Path("/cache/4567/program")
PYTHON = Interpreter(
    executable=Path("/opt/env/bin/python"),
    version=(3, 12, 1),
    readable=(Path("/opt/env"),),
    why="a test",
    tried=("nothing",),
    pytest="9.2.0",
)
WORK = Work(
    program=Program(home=Path("/certo/worker"), module="certo_worker.suite.pytest_run"),
    request={"root": "/here/till", "paths": ["/here/till/tests", "/here/tillage"], "deep": [{"a": 1.5}]},
    interpreter=PYTHON,
    root=HERE,
    overlay={"till.py": "x = 'é\udc80'\n", "gone.py": None},
    protected=("tests",),
    unprotected=("tests/given.py",),
    shown=(".env",),
    hidden=("local.json",),
    limits=Limits(wall_seconds=1.5, memory_mebibytes=7),
    standing=True,
    background=True,
    policy=Policy.LOOPBACK,
    hash_seed=1,
    preparation={"modules": ["/here/till/conftest.py"]},
    apart=Apart(files=("till.py",), hidden=("tests",)),
)
ORDER = RunRequest(
    run="certo-1",
    project="0123",
    program="4567",
    work=WORK,
    demand=IsolationDemand(isolation="bubblewrap", allow_unsandboxed=True),
    warm="context",
)
FINISHED = Finished(
    ending=Ending.EXITED, status=0, complete=True, seconds=0.5, cpu_seconds=0.25, printed="in /cache/0123/till\n"
)
ANSWER = RunReply(
    worker="tcp://worker:1",
    isolation={Policy.STRICT: "bubblewrap"},
    finished=FINISHED,
    messages=[{"file": "/cache/0123/till/till.py", "text": "\udc80"}],
)


def test_no_field_of_a_request_is_lost() -> None:
    for field in fields(Work):
        # A field that stands at its default here would not be seen to be lost.
        assert getattr(WORK, field.name) != field.default, field.name
    read = order_from_text(order_to_text(ORDER), project=THERE, program=HOME, interpreter=None)
    arrived = replace(
        WORK,
        program=Program(home=HOME, module="certo_worker.suite.pytest_run"),
        root=THERE,
        request={
            "root": "/cache/0123/till",
            "paths": ["/cache/0123/till/tests", "/here/tillage"],
            "deep": [{"a": 1.5}],
        },
        preparation={"modules": ["/cache/0123/till/conftest.py"]},
        interpreter=replace(PYTHON, tried=()),
        standing=False,  # such a run is not sent
    )
    assert read == replace(ORDER, work=arrived)


def test_a_worker_may_use_its_interpreter() -> None:
    own = replace(PYTHON, executable=Path("/usr/bin/python3"))
    read = order_from_text(order_to_text(ORDER), project=THERE, program=HOME, interpreter=own)
    assert read.work.interpreter == own


def test_environments_inside_the_project_are_readable(tmp_path: Path) -> None:
    environment = tmp_path / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    interpreter = replace(PYTHON, executable=environment / "bin" / "python")
    order = replace(ORDER, work=replace(WORK, root=tmp_path, interpreter=interpreter))
    read = order_from_text(order_to_text(order), project=THERE, program=HOME, interpreter=None)
    assert read.work.interpreter.readable == (Path("/opt/env"), environment)


def test_an_answer_speaks_of_the_senders_project() -> None:
    read = answer_from_text(answer_to_text(ANSWER, here=THERE, root=str(HERE)), Limits())
    assert read == replace(
        ANSWER,
        finished=replace(FINISHED, printed="in /here/till\n"),
        messages=[{"file": "/here/till/till.py", "text": "\udc80"}],
    )


@pytest.mark.parametrize("error", [NoInterpreter("there is none"), SandboxUnavailable("nothing confines")])
def test_refusals_name_the_worker(error: NoInterpreter | SandboxUnavailable) -> None:
    text = refusal_to_text(error, "tcp://worker:1")
    with pytest.raises(type(error), match=r"\(on the worker tcp://worker:1\)"):
        answer_from_text(text, Limits())
    with pytest.raises(type(error)):
        isolation_from_text(text)


def changed(**changes: object) -> str:
    """Return the text of an answer with some parts replaced; None takes a part away."""
    read = json.loads(answer_to_text(ANSWER, here=THERE, root=str(HERE)))
    read["finished"].update(changes.pop("finished", {}))  # type: ignore[call-overload]  # the parts, by name
    read.update(changes)
    return json.dumps({name: value for name, value in read.items() if value is not None})


@pytest.mark.parametrize(
    "text",
    [
        None,
        b"{}",
        "",
        "{}",
        "[" * 100_000,
        "null",
        '{"worker": "w", "kind": "other", "words": "x"}',
        changed(worker=None),
        changed(worker=1),
        changed(messages=[1]),
        changed(messages={"0": {}}),
        changed(more=1),
        changed(isolation={"strict": 1}),
        changed(isolation={"lax": "not at all"}),
        changed(finished={"ending": "WELL"}),
        changed(finished={"status": "0"}),
        changed(finished={"complete": 1}),
        changed(finished={"seconds": "1"}),
        changed(finished={"more": 1}),
        changed(finished={"ending": "WALL"}),
        changed(finished={"status": 1}),
        changed(messages=[{"x": "y" * (7 << 20)}]),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_anything_else_is_garbage(text: object) -> None:
    with pytest.raises(MalformedReply):
        answer_from_text(text, Limits(output_mebibytes=1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(value=JSON)
def test_moving_there_and_back_changes_nothing(value: object) -> None:
    there = moved({"own": value, "path": "/here/till/x"}, "/here/till", "/there")
    assert there == {"own": value, "path": "/there/x"}
    assert moved(there, "/there", "/here/till") == {"own": value, "path": "/here/till/x"}
