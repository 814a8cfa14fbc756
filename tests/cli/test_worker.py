"""`certo worker` refuses what no worker could start with, in one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from certo.cli.main import main
from support.cli.command import certo


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["scheduler:8786"], "executor.cluster must be the address of a dask scheduler, as tcp://host:8786, not"),
        pytest.param(["tls://scheduler:8786"], "needs executor.tls_ca, tls_cert and tls_key", marks=pytest.mark.slow),
        pytest.param(["tcp://scheduler:8786", "--tls-ca", "ca.pem"], "belong together", marks=pytest.mark.slow),
        pytest.param(
            ["tcp://scheduler:8786", "--slots", "0"], "--slots must be at least 1, not 0", marks=pytest.mark.slow
        ),
        ([], "the following arguments are required: ADDRESS"),
    ],
)
def test_a_command_line_that_cannot_work(tmp_path: Path, words: list[str], sentence: str) -> None:
    ran = certo(tmp_path, "worker", *words)
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["worker", "tcp://scheduler:8786"]) == 3
    assert 'pip install "certo[cluster]"' in capsys.readouterr().err
