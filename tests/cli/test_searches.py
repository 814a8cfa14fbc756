"""`certo searches`, run as a shell would run it, on searches that `certo generate` has made."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from certo.storage.database import open_database
from certo.storage.location import journal_file, journal_folder
from certo.vocabulary.guidance import Feedback
from support.cli.command import COMMAND, RIGHT, WRONG, Ran, certo, environment, scripted, till
from support.search.journalled_searches import journal_of

NEVER = {**WRONG, "delaySeconds": 3600}


def searches(root: Path, *words: str) -> Ran:
    return certo(root, "searches", *words)


def listed(root: Path) -> list[dict[str, Any]]:
    return searches(root, "list", "--json").events


def generated(root: Path, *replies: dict[str, Any], words: tuple[str, ...] = ()) -> Ran:
    return certo(root, "generate", "till.py::change", "--json", *scripted(root, *replies), *words)


@pytest.mark.slow
@pytest.mark.acceptance(64, 65)
def test_rejected_change_returns_only_for_another_text(tmp_path: Path) -> None:
    """It is remembered as rejected, with the reason, in later searches of other processes."""
    root = till(tmp_path / "till")
    first = generated(root, RIGHT).events[-1]
    folder = journal_folder(environment(tmp_path))
    with closing(journal_of(folder, root)) as journal:
        said = Feedback(candidate_id=first["winner"]["candidateId"], ruling="rejected", note="count from the top")
        journal.opinion(first["search"], said)
        journal.commit()
    assert "rejected by the user: count from the top" in certo(root, "memory", "tries").out
    again = generated(root, RIGHT)
    assert again.code == 1
    [verdict] = [event["verdict"] for event in again.events if event["type"] == "verdict"][-1:]
    assert (verdict["verifier"], verdict["ruling"]) == ("feedback", "failed")
    assert verdict["findings"][0]["message"] == ("the user has rejected this very change before: count from the top")
    source = root / "till.py"
    source.write_text(f"{source.read_text()}\n# Another text.\n")
    assert generated(root, RIGHT).code == 0


def test_a_search_is_listed_shown_and_forgotten(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    assert searches(root, "list").out == "No search is stored.\n"
    told = generated(root, WRONG, RIGHT).events
    name = told[0]["search"]

    [kept] = listed(root)
    assert (kept["id"], kept["root"], kept["path"], kept["qualname"]) == (name, str(root), "till.py", "change")
    assert kept["standing"] == "solved"
    shown = searches(root, "list").out.splitlines()
    assert shown[0] == str(root)
    assert re.search(rf"^{name}  \d{{4}}-\d\d-\d\d \d\d:\d\d  till\.py::change  solved", shown[2])

    assert searches(root, "show", name, "--json").events == told
    assert searches(root).out == searches(root, "list").out, "which is what it does by itself"
    card = searches(root, "show").out
    for words in (
        f"search      {name}, solved",
        "repair change in till.py",
        "a coin of exactly",
        "VERIFIED",
        "+        while",
    ):
        assert words in card, words

    assert re.fullmatch(
        r"deleted 1 search, with \d+ lessons?, 2 tries, \d+ cached verdicts? and 0 cached answers\n",
        searches(root, "forget", name).out,
    )
    assert listed(root) == []
    gone = searches(root, "show", name)
    assert (gone.code, gone.err) == (
        2,
        f"certo: no search '{name}' is stored; `certo searches list` shows all\n",
    )


@pytest.mark.slow
def test_search_is_shown_as_tree_and_page(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    name = generated(root, WRONG, RIGHT).events[0]["search"]

    top, *lines = searches(root, "show", name, "--tree").out.splitlines()
    assert top.startswith("the problem's own text  stats: ")
    assert any("✗ #1  stats: " in line and "give nothing back" in line for line in lines)
    assert any(line.endswith("the best") and "✓ #2" in line for line in lines)
    nodes = searches(root, "show", name, "--tree", "--json").events
    assert [node["type"] for node in nodes] == ["node"] * 3

    wrote = searches(root, "show", name, "--html", "page.html")
    assert (wrote.code, wrote.out, wrote.err) == (0, "", "wrote page.html\n")
    page = (root / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page == searches(root, "show", name, "--html", "-").out
    refused = searches(root, "show", name, "--html", "no/such/folder/page.html")
    assert refused.code == 2
    assert "no/such/folder/page.html cannot be written: No such file or directory; name another file" in refused.err


@pytest.mark.slow
def test_applied_candidate_makes_its_search_accepted(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    assert generated(root, RIGHT, words=("--apply",)).code == 0
    assert [kept["standing"] for kept in listed(root)] == ["accepted"]


def test_what_the_command_needs_is_said(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    for words, wanted in (
        (("show",), "no search is stored; `certo generate` starts one"),
        (("forget",), "`certo searches forget` needs an ID, or --all"),
        (("forget", "5eac"), "no search '5eac' is stored"),
        (("forget", "5eac", "--all"), "takes an ID or --all, not both"),
    ):
        refused = searches(root, *words)
        assert refused.code == 2
        assert wanted in refused.err


@pytest.mark.slow
def test_running_search_is_not_forgotten(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    command = [*COMMAND, "generate", "till.py::change", "--json", *scripted(root, NEVER)]
    with subprocess.Popen(command, cwd=root, env=environment(root.parent), stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        name = json.loads(running.stdout.readline())["search"]
        assert [kept["standing"] for kept in listed(root)] == ["running"]
        refused = searches(root, "forget", name)
        assert (refused.code, refused.err) == (2, f"certo: search {name} is running; stop it first\n")
        assert searches(root, "forget", "--all").out == "deleted 0 searches\n"
        running.kill()
    assert [kept["standing"] for kept in listed(root)] == ["interrupted"]
    assert searches(root, "forget", "--all").out.startswith("deleted 1 search, with ")


@pytest.mark.usual_cases("12")
@pytest.mark.parametrize("event", [1, 5, 12])
def test_journal_has_everything_printed_before_a_kill(tmp_path: Path, event: int) -> None:
    root = till(tmp_path / "till")
    command = [*COMMAND, "generate", "till.py::change", "--json", *scripted(root, WRONG, WRONG | {"note": "x"}, RIGHT)]
    with subprocess.Popen(command, cwd=root, env=environment(root.parent), stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        lines = [running.stdout.readline() for _ in range(event)]
        os.kill(running.pid, signal.SIGKILL)
        lines += running.stdout.readlines()
    # The last line may have been cut in two.
    told = [json.loads(line) for line in lines if line.endswith(b"\n")]
    assert len(told) >= event
    assert searches(root, "show", told[0]["search"], "--json").events[: len(told)] == told


@pytest.mark.slow
def test_journal_of_a_newer_certo_is_named(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    file = journal_file(tmp_path / ".local/share/certo/journals", root)
    with closing(open_database(file, root)) as connection:
        connection.execute("PRAGMA user_version = 999")
    told = searches(root, "list")
    assert (told.code, told.out) == (0, "No search is stored.\n")
    assert f"the journal {file} is left out: a newer version of certo wrote it" in told.err
    made = generated(root, RIGHT)
    assert made.code == 0
    assert f"certo: the journal {file} cannot be used: a newer version of certo wrote it" in made.err
    assert "it is left as it is; update certo to use it" in made.err
    assert listed(root) == []
