"""Keeps what this version of certo writes, in tests/upgrades/VERSION, for the tests of the versions that follow.

As a program: run once for each release, before its tag is set. Everything is made by the real command or by the room
that writes it, in a home of its own, so that nothing of the user's gets in.
"""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import subprocess
import tarfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import anyio

import certo
from certo.api.cache import CodeCache
from certo.api.execution import Code
from certo.api.generated import Generated, Passed
from certo.llm.prompt import Finish, Reply, Usage
from certo.llm.wrappers.cached import AnswerFiles
from certo.protocol.schema import document
from certo.settings.documents import json_schema
from certo.settings.schema import Settings, known_options
from certo.storage.database import open_database
from certo.storage.journal import Journal
from certo.storage.location import journal_file
from certo.storage.paid_calls import PaidCall
from certo.storage.search_record import SearchRecord
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.guidance import Feedback, Guidance
from certo.vocabulary.knowledge import Claim, Listed, Outline, Outlined, PastAttempt, Quote, Symbol
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report
from support.cli.command import RIGHT, WRONG, scripted, till
from support.cli.command import certo as command
from support.projects.bare_environment import bare_python
from support.search.events import told
from support.upgrades.kept import ANSWER, CODE, DIGEST, FOLDER, HAND_MADE, MADE_IN, PLAIN, TRACKED, bare
from support.upgrades.session import record

_OLD_LIFE = "elsewhere/boot/1/1"


def main() -> None:
    """Write the files of this version."""
    kept = FOLDER / certo.__version__
    kept.mkdir(parents=True, exist_ok=True)
    MADE_IN.mkdir()
    try:
        _make_home()
        (kept / "home.tar.gz").write_bytes(_packed(MADE_IN))
    finally:
        shutil.rmtree(MADE_IN)
    (kept / "settings.json").write_text(json.dumps(_defaults(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    schema = json.dumps(bare(document(json_schema())), separators=(",", ":"), sort_keys=True)
    (kept / "protocol.json").write_text(f"{schema}\n", encoding="utf-8")
    anyio.run(record)


def _make_home() -> None:
    """Write one project without and one with git, and all that certo keeps of them."""
    for name in (PLAIN, TRACKED):
        root = till(MADE_IN / name)
        if name == TRACKED:
            for words in (
                "init --quiet --template=",
                "add .",
                "-c user.name=a -c user.email=a@b commit --quiet -m one",
            ):
                subprocess.run(["git", *words.split()], cwd=root, check=True)
        made = command(root, "generate", "till.py::change", "--json", "--apply", *scripted(root, WRONG, RIGHT))
        assert made.code == 0, made.err
    verified = command(MADE_IN / PLAIN, "verify", "till.py::change", "--json")
    assert verified.code == 0, verified.err
    (MADE_IN / DIGEST).write_text(json.loads(verified.out)["digest"], encoding="ascii")
    with closing(Journal(open_database(_journal(PLAIN), MADE_IN / PLAIN), prompts=True)) as journal:
        _hand_made(journal)
        journal.commit()
        journal.checkpoint()
    for name in (PLAIN, TRACKED):
        with closing(open_database(_journal(name))) as connection:
            connection.execute("UPDATE search SET life = ?", (_OLD_LIFE,))
            _without_this_machine(connection)
    usage = Usage(input_tokens=3, output_tokens=1)
    reply = Reply(text="x", finish=Finish.COMPLETE, model="a-model", usage=usage, dollars=0.5)
    AnswerFiles(MADE_IN / ".cache/certo").put(ANSWER, reply)
    CodeCache(MADE_IN / ".cache/certo/code").put(CODE, _generated())


def _without_this_machine(connection: sqlite3.Connection) -> None:
    """Replace the place of the tests' interpreter by one that could be anywhere."""
    here = str(bare_python().parents[1])
    for table, column in (("search", "asked"), ("event", "line"), ("remembered", "line"), ("mapped_run", "line")):
        connection.execute(f"UPDATE {table} SET {column} = replace({column}, ?, '/home/me/environment')", (here,))
    connection.execute("VACUUM")


def _journal(project: str) -> Path:
    return journal_file(MADE_IN / ".local/share/certo/journals", MADE_IN / project)


def _generated() -> Generated:
    passed = Passed(
        candidate_id="c",
        code=Code(text="def double(n):\n    return n * 2\n", function="double"),
        source="def double(n):\n    return n * 2\n",
        report=Report(candidate_id="c"),
        verified=True,
        cost=Cost(value=1.0, unit="tokens", source="size"),
    )
    return Generated(name="double", outcome=Outcome.SOLVED, passed=(passed,), tried=(), spent=Spent())


def _hand_made(journal: Journal) -> None:
    """Put one row at least into each table, and one event of each kind."""
    asked = SearchRecord(
        document=str(MADE_IN / PLAIN / "till.py"),
        path="till.py",
        text="def change(due): ...\n",
        qualname="change",
        guidance=Guidance(feedback="count from the top"),
        flags={"search.seed": 3},
        selected=(1, 2),
        settings={"search.seconds": 9.0},
    )
    journal.begin(HAND_MADE, asked)
    for event in told():
        journal.on_event(replace(event, search=HAND_MADE))
    journal.exchange(HAND_MADE, '{"prompt": {}}')
    journal.opinion(HAND_MADE, Feedback(candidate_id="aaa", ruling="rejected", note="no"))
    call = PaidCall(mark="m1", key="k", calls=1, tokens=20, dollars=0.5)
    journal.paid.begin(HAND_MADE, call)
    journal.paid.end(replace(call, ended=True, reply='{"text": "x"}'))
    quote = Quote(path="till.py", text="def change")
    journal.learned.learn([Claim(key="k", section="gotchas", text="it loops", search=HAND_MADE, quotes=(quote,))])
    outline = Outline(doc="Gives change.", symbols=(Symbol(name="change", shown="change(due)"),), is_main=False)
    journal.learned.outlined([Outlined(listed=Listed(path="gone.py", size=9, changed=77), hash="h", outline=outline)])
    journal.learned.recollect(HAND_MADE, 100, "what was recalled")
    score = Score(value=3.0, unit="tests", source="tests that pass", maximize=False)
    journal.learned.tried(
        PastAttempt(
            search=HAND_MADE,
            candidate="aaa",
            number=1,
            path="till.py",
            qualname="change",
            at=5.0,
            cost=2.5,
            score=score,
        )
    )
    journal.runs.map_run("r1", {"tests/test_till.py::test_one_coin": "l"}, ["till.py"])
    journal.runs.pin({"tests/test_till.py::test_one_coin": "l"})


def _defaults() -> Mapping[str, Any]:
    """Return each setting that is set by default, by its dotted name."""
    found = {}
    for option in known_options().values():
        value: Any = asdict(Settings())
        for name in () if option.is_named else option.path:
            value = value[name]
        if not option.is_named and value is not None:
            found[option.name] = value
    return found


def _packed(folder: Path) -> bytes:
    """Return an archive of a folder without the names of users and the interpreters' own files."""

    def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        if member.name.endswith(("__pycache__", ".venv", "-wal", "-shm")):
            return None
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(folder, arcname=".", filter=anonymous)
    return packed.getvalue()


if __name__ == "__main__":
    main()
