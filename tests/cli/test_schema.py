"""`certo schema` prints what programs read."""

from __future__ import annotations

import json

import pytest

from certo.cli.main import main


def test_it_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["certo"]["commands"]["certo.cancel"]["argument"] == {"$ref": "#/$defs/SearchArguments"}


def test_it_prints_types(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--typescript"]) == 0
    assert "export interface SearchArguments {\n  v?: 1;\n  searchId: string;\n}" in capsys.readouterr().out


def test_it_prints_the_settings_for_vscode(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--vscode"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["configuration"][0]["properties"]["certo.interpreter"]["scope"] == "machine-overridable"
    assert "certo.interpreter" in printed["restrictedConfigurations"]
