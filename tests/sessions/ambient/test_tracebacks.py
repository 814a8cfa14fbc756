"""The function that a traceback is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.source import read_source
from certo.edits.target import ByLine, ByName, find_target
from certo.sessions.ambient import tracebacks
from certo.sessions.ambient.tracebacks import place_in_traceback
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target
from support.projects.projects import write_project

FILES = {
    "till.py": "import json\n\n\ndef total(text):\n    return sum(json.loads(text))\n",
    "test_till.py": "from till import total\n\n\ndef test_total():\n    assert total('[1, 2]') == 3\n",
    ".venv/lib/json.py": "def loads(text):\n    raise ValueError\n",
}
PYTHON = """\
Traceback (most recent call last):
  File "{root}/{first}", line 5, in {name}
  File "{root}/till.py", line 5, in total
    return sum(json.loads(text))
  File "{root}/.venv/lib/json.py", line 2, in loads
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
json.decoder.JSONDecodeError: Expecting value
"""
PYTEST = """\
    def test_total():
>       assert total('[1, 2]') == 3

test_till.py:5:
_ _ _ _ _
till.py:5: in total
/usr/lib/python3.11/json/decoder.py:355: JSONDecodeError
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "shop", FILES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PYTHON.replace("{first}", "test_till.py"), ("test_till.py", ByLine(5))),
        (PYTHON.replace("{first}", "missing.py"), ("till.py", ByLine(5))),
        (PYTEST, ("test_till.py", ByLine(5))),
        (PYTEST.replace("test_till.py", "other.py"), ("till.py", ByLine(5))),
        ("FAILED test_till.py::test_total[1] - ValueError", ("test_till.py", ByName("test_total"))),
    ],
)
def test_test_comes_before_innermost_function(root: Path, text: str, expected: tuple[str, ByLine | ByName]) -> None:
    path, place = place_in_traceback(text.replace("{root}", str(root)), [root])
    assert (path.relative_to(root).as_posix(), place) == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("/app/till.py", "till.py"),
        ("/app/shop/pay/card.py", "pay/card.py"),
        ("pay/card.py", "pay/card.py"),
        ("shop/pay/card.py", "pay/card.py"),
        (r"C:\ci\shop\pay\card.py", "pay/card.py"),
        ("{root}/pay/card.py", "pay/card.py"),
        ("/app/card.py", None),
        ("/app/other.py", None),
        ("/app/../../pay/../../till.py", "till.py"),
        ("../app/till.py", None),
        ("{root}/gone/till.py", None),
        ("/usr/lib/python3.11/till.py", None),
        ("/app/venv/lib/python3.11/site-packages/pay/card.py", None),
        (r"C:\Python311\Lib\till.py", None),
    ],
)
def test_file_may_have_lain_elsewhere(root: Path, named: str, expected: str | None) -> None:
    write_project(root, {"pay/card.py": FILES["till.py"]})
    (root.parent / "link").symlink_to(root)
    link, named = root.parent / "link", named.replace("{root}", str(root))
    text = f'  File "{named}", line 5, in total\n'
    if expected is not None:
        assert place_in_traceback(text, [link]) == (link / expected, ByLine(5))
        return
    refused = "of link; paste all" if "ib" in named else "of link; .* lies elsewhere, so work in its folder"
    with pytest.raises(BadRequest, match=refused):
        place_in_traceback(text, [link])


def test_name_in_two_folders_is_refused(root: Path) -> None:
    other = write_project(root.parent / "other", FILES)
    with pytest.raises(BadRequest, match=r"shop or other; /app/till\.py lies elsewhere, so work in its folder"):
        place_in_traceback('  File "/app/till.py", line 5, in total\n', [root, other])
    assert place_in_traceback('  File "/app/other/till.py", line 5\n', [root.parent]) == (other / "till.py", ByLine(5))


@pytest.mark.parametrize(
    "text",
    [
        'File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode',
        'File "../other/till.py", line 5, in total',
        "FAILED ../other/test_till.py::test_total - ValueError",
    ],
)
def test_files_elsewhere_are_refused(root: Path, text: str) -> None:
    write_project(root.parent / "other", FILES)
    with pytest.raises(BadRequest, match="in a function of shop"):
        place_in_traceback(text, [root])


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "\n" * 200_000,
        "FAILED {}[".format("a.py::" * 40_000),
        "FAILED ~nobody-here/a.py::f",
        'File "{}/till.py", line 5, in total'.format("long" * 1000),
        'File "till.py", line {}, in total'.format("9" * 5000),
    ],
    ids=["blank", "parts", "home", "path", "number"],
)
def test_odd_text_is_refused_at_once(root: Path, text: str) -> None:
    with pytest.raises(BadRequest, match="in a function of shop"):
        place_in_traceback(text, [root])


def test_each_file_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    looked: list[ByLine] = []

    def count_read(path: Path) -> str:
        read.append(path)
        return read_source(path)

    def count_look(text: str, where: ByLine, *, path: str) -> Target:
        looked.append(where)
        return find_target(text, where, path=path)

    monkeypatch.setattr(tracebacks, "read_source", count_read)
    monkeypatch.setattr(tracebacks, "find_target", count_look)
    for lines, most in (([6, 7] * 500, 2), (range(6, 1006), 200)):
        read.clear()
        looked.clear()
        with pytest.raises(BadRequest):
            place_in_traceback("".join(f'  File "till.py", line {line}, in total\n' for line in lines), [root])
        assert (read, len(looked)) == ([root / "till.py"], most)
