"""`certo check`: what a digest of `certo verify --json` vouches for, and digests that are not ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.cli.command import SOURCE, Ran, certo, till

RIGHT = SOURCE.replace("due > coin", "due >= coin")


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    root = till(tmp_path_factory.mktemp("signed") / "till", source=RIGHT)
    (report,) = certo(root, "verify", "till.py::change", "--json").events
    return root, report["digest"]


def checked(root: Path, digest: str) -> tuple[Ran, dict[str, object]]:
    ran = certo(root, "check", digest, "--json")
    return ran, json.loads(ran.out)


def test_digest_of_verified_function_holds(verified: tuple[Path, str]) -> None:
    root, digest = verified
    ran, answer = checked(root, digest)
    assert ran.code == 0
    assert answer["holds"] is answer["isOurs"] is True
    record = answer["record"]
    assert (record["path"], record["qualname"], record["outcome"]) == ("till.py", "change", "VERIFIED")
    assert record["rulings"]["tests"] == "passed"
    assert list(record["tests"]) == ["tests/test_till.py"]
    told = certo(root, "check", digest)
    assert told.out.startswith("HOLDS  change in till.py\n")


@pytest.mark.parametrize(("file", "names"), [("till.py", "changedTexts"), ("tests/test_till.py", "changedTests")])
def test_changed_files_end_the_claim(verified: tuple[Path, str], file: str, names: str) -> None:
    root, digest = verified
    before = (root / file).read_text()
    (root / file).write_text(f"{before}\n# changed\n")
    try:
        ran, answer = checked(root, digest)
        told = certo(root, "check", digest)
    finally:
        (root / file).write_text(before)
    assert ran.code == 1
    assert answer[names] == [file]
    assert told.out.startswith("CHANGED SINCE  change")
    assert f"changed since: {file}" in told.out
    assert checked(root, digest)[0].code == 0


@pytest.mark.slow
def test_digest_of_failure_holds_nothing(tmp_path: Path) -> None:
    """And if its record is changed to say otherwise, it is not ours."""
    root = till(tmp_path / "till")
    (report,) = certo(root, "verify", "till.py::change", "--json").events
    ran, answer = checked(root, report["digest"])
    assert ran.code == 1
    assert answer["isOurs"] is True
    assert answer["record"]["verified"] is False
    assert certo(root, "check", report["digest"]).out.startswith("NOT VERIFIED  change")
    (record,) = tmp_path.rglob(f"{report['digest']}.json")
    record.write_text(record.read_text().replace('"verified":false', '"verified":true'))
    _, answer = checked(root, report["digest"])
    assert answer["isOurs"] is False


@pytest.mark.parametrize("digest", ["cv1-" + "0" * 40, "../../key", "", "cv1-" + "é" * 40, "x" * 100_000])
def test_invented_digests_are_not_ours(verified: tuple[Path, str], digest: str) -> None:
    root, _ = verified
    ran, answer = checked(root, digest)
    assert ran.code == 1
    assert answer["isOurs"] is answer["holds"] is False
    assert answer["record"] is None


@pytest.mark.slow
def test_nothing_is_signed_without_journal(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=RIGHT)
    (report,) = certo(root, "verify", "till.py::change", "--json", CERTO_JOURNAL__ENABLED="false").events
    assert report["verified"] is True
    assert report["digest"] == ""
    assert not list(tmp_path.rglob("cv1-*"))
