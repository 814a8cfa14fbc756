"""Test files compiled once for many copies: known as long as they are unchanged on the disk."""

from __future__ import annotations

from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from certo_worker.canary.assertions import broken_code
from certo_worker.canary.judgements import VERDICTS, BrokenOnPurpose
from certo_worker.suite.session import Rewritten


def plainly(file: str) -> CodeType:
    return compile(Path(file).read_text(), file, "exec")


def given(code: CodeType | None) -> object:
    assert code is not None
    names: dict[str, object] = {}
    exec(code, names)
    return names["given"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "test_it.py"
    file.write_text("given = 1\n")
    return file


def test_files_are_recalled_by_text_or_path(file: Path) -> None:
    known = Rewritten()
    known.remember([str(file)], plainly)
    assert given(known.recall(str(file))) == given(known.recall(file)) == 1


def test_changed_file_is_unknown_until_remembered_again(file: Path) -> None:
    known = Rewritten()
    known.remember([str(file)], plainly)
    file.write_text("given = 20\n")
    assert known.recall(file) is None
    known.remember([str(file)], plainly)
    assert given(known.recall(file)) == 20


def test_a_file_is_compiled_once(file: Path) -> None:
    compiled = []

    def compile_and_note(name: str) -> CodeType:
        compiled.append(name)
        return plainly(name)

    known = Rewritten()
    known.remember([str(file), str(file)], compile_and_note)
    known.remember([str(file)], compile_and_note)
    assert compiled == [str(file)]


def test_uncompilable_files_do_not_affect_others(file: Path) -> None:
    wrong = file.with_name("test_wrong.py")
    wrong.write_text("given =\n")
    nested = file.with_name("test_nested.py")
    nested.write_text("given = " + "(" * 500 + "1" + ")" * 500 + "\n")
    known = Rewritten()
    names = [str(wrong), str(nested), str(file.with_name("test_gone.py")), str(file)]
    known.remember(names, lambda name: broken_code(name, None))
    assert [known.recall(name) is None for name in names] == [True, True, True, False]


def test_what_is_forgotten_is_not_known(file: Path) -> None:
    known = Rewritten()
    known.remember([str(file)], plainly)
    known.forget()
    assert known.recall(file) is None


def test_broken_code_fails_where_file_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("def test():\n    assert 1 + 1 == 2\n")
    plain: dict[str, Any] = {}
    exec(plainly(str(file)), plain)
    plain["test"]()
    broken: dict[str, Any] = {}
    exec(broken_code(str(file), None), broken)
    monkeypatch.setattr(VERDICTS.account, "running", True)
    with pytest.raises(AssertionError) as raised:
        broken["test"]()
    assert not isinstance(raised.value, BrokenOnPurpose)
