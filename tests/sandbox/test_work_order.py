"""The order for the worker is read as it was asked for, to the letter."""

from __future__ import annotations

import io
import json
import os
import tokenize
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from certo.sandbox.confinement.kernel_features import NO_WALLS
from certo.sandbox.process.scratch import scratch
from certo.sandbox.work_order import write_order
from support.sandbox.stage import Stage

LETTERS = some.characters(exclude_categories=["Cs"], exclude_characters="\r")


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


CODING = ["", "# coding: latin-1\n", "# coding: ascii\n", "# coding: nonsense\n"]


@given(text=some.text(LETTERS), line=some.sampled_from(CODING))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_overlay_texts_use_their_declared_encoding(stage: Stage, text: str, line: str) -> None:
    work = stage.work("", overlay={"one.py": ""})
    work.overlay["one.py"] = line + "#" + text  # type: ignore[index]  # a dict, and dedent would change it
    async with scratch() as directory:
        order = json.loads(write_order(work, directory, limits=work.limits, alone=False, walls=NO_WALLS).read_text())
        written = await anyio.Path(order["overlay"]["one.py"]).read_bytes()
    try:
        declared = tokenize.detect_encoding(io.BytesIO(written).readline)[0]
        work.overlay["one.py"].encode(declared)
    except (SyntaxError, UnicodeEncodeError):
        # No file could hold this text under its own coding line; it stays what an editor would save it as.
        declared = "utf-8"
    assert written.decode(declared) == work.overlay["one.py"]


async def test_overlay_files_have_an_impossible_time(stage: Stage) -> None:
    """No bytecode has recorded it."""
    work = stage.work("", overlay={"a/b.py": "x"})
    async with scratch() as directory:
        order = json.loads(write_order(work, directory, limits=work.limits, alone=True, walls=NO_WALLS).read_text())
        assert os.stat(order["overlay"]["a/b.py"]).st_mtime == 4102444800
    assert order["parent"] == 0
    assert order["limits"]["alone"] is True


async def test_lone_surrogates_do_not_break_the_order(stage: Stage) -> None:
    work = stage.work("", request={"text": "\ud800"}, overlay={"one.py": "# \ud800\n"})
    async with scratch() as directory:
        assert json.loads(write_order(work, directory, limits=work.limits, alone=False, walls=NO_WALLS).read_text())[
            "request"
        ] == {"text": "\ud800"}


@pytest.mark.parametrize("standing", [False, True])
async def test_only_background_runs_have_lower_priority(stage: Stage, standing: bool) -> None:
    work = replace(stage.work(""), standing=standing)
    async with scratch() as directory:
        plain = json.loads(write_order(work, directory, limits=work.limits, alone=False, walls=NO_WALLS).read_text())
        behind = json.loads(
            write_order(
                replace(work, background=True), directory, limits=work.limits, alone=False, walls=NO_WALLS
            ).read_text()
        )
    assert behind["limits"]["niceness"] > plain["limits"]["niceness"] == 0
