"""The formats of `certo verify --changed` are what the programs that read them expect, whatever stands in a name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import junitparser
import pytest

from certo.cli.view.changes.formats import FORMATS, write_changes
from certo.cli.view.changes.github import github_text
from certo.cli.view.changes.junit import junit_text
from certo.cli.view.changes.sarif import sarif_text
from certo.presentation.changed_function import RULES
from certo.protocol.changed_functions import ChangedFunctionReport, ChangeNote, ChangesReport

SCHEMA = Path(__file__).parents[2] / "support" / "schemas" / "sarif-2.1.0-rtm.5.json"
"""The schema as npm's `@microsoft/jest-sarif` (MIT) has it, without descriptions."""

HOSTILE = "a::error::b, c=1%0A\n::stop-commands::x\x1b[31m\x00 ]]> <b> \ud800"

NOTES = (
    ChangeNote(level="note", rule="gap", line=4, message="no test notices"),
    ChangeNote(level="error", rule="failed", line=3, message=f"FAILED: {HOSTILE}"),
)
REPORTS = [
    ChangedFunctionReport(path="a b/s%hop.py", qualname="total", line=3, result="failed", notes=NOTES, seconds=1.5),
    ChangedFunctionReport(path="a b/s%hop.py", qualname="Till.pay", line=9, result="verified", summary=HOSTILE),
    ChangedFunctionReport(path="till.py", qualname="lost", line=1, result="deleted", reason="it was there in main"),
    ChangedFunctionReport(
        path="bad.py",
        qualname="",
        line=2,
        result="unreadable",
        reason="no Python",
        notes=(ChangeNote(level="error", rule="unreadable", line=2, message="no Python"),),
    ),
]
END = ChangesReport(
    root="/work/shop",
    revision="abc, the last commit in common with main",
    commit="abc",
    exit_code=1,
    functions=4,
    cached=0,
)


def test_sarif_follows_its_schema() -> None:
    log = json.loads(sarif_text(REPORTS, END))
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (run,) = log["runs"]
    results = run["results"]
    assert [one["ruleId"] for one in results] == ["gap", "failed", "unreadable"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in results)
    assert results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/s%25hop.py"


def test_sarif_fingerprints_outlive_moved_lines() -> None:
    below = [
        one.model_copy(update={"notes": tuple(n.model_copy(update={"line": n.line + 9}) for n in one.notes)})
        for one in REPORTS
    ]
    prints = [
        [one["partialFingerprints"] for one in json.loads(sarif_text(reports, END))["runs"][0]["results"]]
        for reports in (REPORTS, below)
    ]
    assert prints[0] == prints[1]
    assert len({json.dumps(each) for each in prints[0]}) == 3


def test_junit_is_read_by_a_parser() -> None:
    read = junitparser.JUnitXml.fromstring(junit_text(REPORTS, END).encode("utf-8"))
    assert (read.tests, read.failures, read.errors, read.skipped) == (4, 1, 1, 1)
    cases = {case.name: case for suite in read for case in suite}
    assert [type(each).__name__ for each in cases["total"].result] == ["Failure"]
    assert cases["Till.pay"].is_passed
    assert cases["lost"].is_skipped
    assert cases["total"].classname == "a b.s%hop"
    assert cases["total"].time == 1.5


def test_annotations_cannot_be_forged() -> None:
    """Every line is one command of ours: names and messages add none, and change no property."""
    lines = github_text(REPORTS, END).splitlines()
    assert [re.match("::([a-z]+) ", line)[1] for line in lines] == ["error", "error", "notice"]  # type: ignore[index]
    for line in lines:
        properties, _, _ = line.removeprefix("::").partition("::")
        assert [each.partition("=")[0] for each in properties.partition(" ")[2].split(",")] == ["file", "line", "title"]
    assert lines[0].startswith("::error file=a b/s%25hop.py,line=3,title=certo%3A A changed function fails")


def test_every_rule_is_named() -> None:
    listed = json.loads(sarif_text([], END))["runs"][0]["tool"]["driver"]["rules"]
    assert [one["id"] for one in listed] == list(RULES)


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_goes_to_its_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_changes([(name, str(tmp_path / "out"))], REPORTS, END)
    assert "total" in (tmp_path / "out").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""
