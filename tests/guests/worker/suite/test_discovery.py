"""Finding the test files that may reach a target, by reading alone."""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import certo_worker.suite.discovery as reach
from certo_worker.suite.doctest_sources import has_examples
from certo_worker.suite.reach import Module
from support.projects.projects import write_project

SHOP = {
    "src/shop/__init__.py": "",
    "src/shop/till.py": "class Till:\n    def add(self, price):\n        return price\n",
    "src/shop/desk.py": "from . import till\n\ndef sell():\n    return till.Till().add(1)\n",
    "src/shop/other.py": "def other():\n    return 1\n",
}


def found(root: Path, files: dict[str, str], path: str = "src/shop/till.py", name: str = "Till.add") -> list[str]:
    write_project(root, {**SHOP, **files})
    return reach.find(str(root), path, name, {})[0]


def test_direct_importers_come_first_and_strangers_never(tmp_path: Path) -> None:
    files = {
        "tests/test_desk.py": "from shop import desk\n\ndef test():\n    assert desk.sell()\n",
        "tests/test_other.py": "from shop.other import other\n\ndef test():\n    assert other()\n",
        "tests/test_till.py": "from shop.till import (\n    Till,\n)\n\ndef test():\n    assert Till().add(1)\n",
        "tests/till_test.py": "import shop.till as till\n\ndef test():\n    assert till.Till().add(1)\n",
        "tests/notes.py": "from shop.till import Till\n",
    }
    assert found(tmp_path, files) == ["tests/test_till.py", "tests/till_test.py", "tests/test_desk.py"]


@pytest.mark.parametrize("beside", ["def sell():\n    return price_of(1)\n", "class sell:\n    of = [price_of]\n"])
def test_tests_reach_the_target_through_its_module(tmp_path: Path, beside: str) -> None:
    """They call what calls it, and do not know its name."""
    alone = "def price_of(n):\n    return price_of(n - 1) if n else 0\n\n"
    test = "from shop.price import sell\n\ndef test():\n    assert sell\n"
    files = {"src/shop/price.py": alone + beside, "tests/test_price.py": test}
    assert found(tmp_path, files, "src/shop/price.py", "price_of") == ["tests/test_price.py"]
    write_project(tmp_path, {"src/shop/price.py": alone + "def sell():\n    return 1\n"})
    assert reach.find(str(tmp_path), "src/shop/price.py", "price_of", {})[0] == []


def test_named_files_come_first_if_found(tmp_path: Path) -> None:
    test = "from shop.till import Till\n\ndef test():\n    assert Till().add(1)\n"
    write_project(tmp_path, {**SHOP, **{f"tests/test_{name}.py": test for name in "abc"}})
    first = ["tests/test_gone.py", "tests/test_c.py", "tests/test_b.py"]
    paths = reach.find(str(tmp_path), "src/shop/till.py", "Till.add", {}, first)[0]
    assert paths == ["tests/test_c.py", "tests/test_b.py", "tests/test_a.py"]


def test_conftest_import_counts_for_tests_below(tmp_path: Path) -> None:
    files = {
        "tests/unit/conftest.py": "from shop.till import Till\n\ndef desk():\n    return Till()\n",
        "tests/unit/deep/test_a.py": "def test_a(desk):\n    assert desk.add(1)\n",
        "tests/slow/test_b.py": "def test_b(desk):\n    assert desk.add(1)\n",
    }
    assert found(tmp_path, files) == ["tests/unit/deep/test_a.py"]


def test_files_that_only_name_it_come_last(tmp_path: Path) -> None:
    files = {
        "tests/test_by_hand.py": "import importlib\nimportlib.import_module('shop.till').Till().add(1)\n",
        "tests/test_till.py": "from shop.till import Till\nTill().add(2)\n",
    }
    assert found(tmp_path, files) == ["tests/test_till.py", "tests/test_by_hand.py"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\npython_files = check_*.py\ntestpaths = checks\n"),
        ("tox.ini", "[pytest]\npython_files = check_*.py\ntestpaths = checks\n"),
        ("setup.cfg", "[tool:pytest]\npython_files =\n    check_*.py\ntestpaths = checks\n"),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\npython_files = ["check_*.py"]\ntestpaths = "checks"\n[tool.x]\n',
        ),
        ("pyproject.toml", "[tool.pytest]\ntestpaths = ['checks']\npython_files = [\n  'check_*.py',\n]\n"),
        ("pytest.toml", "[pytest]\ntestpaths = ['checks']\npython_files = ['check_*.py']\n"),
    ],
)
def test_configuration_decides_which_files_are_tests(tmp_path: Path, name: str, text: str) -> None:
    files = {
        name: text,
        "checks/check_till.py": "from shop.till import Till\nTill().add(1)\n",
        "a/test_till.py": "from shop.till import Till\nTill().add(1)\n",
    }
    assert found(tmp_path, files) == ["checks/check_till.py", "a/test_till.py"]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (
            "import unittest\nfrom shop.till import Till\n\nclass Adding(unittest.TestCase):\n    def test_add(self):\n"
            "        Till().add(1)\n",
            True,
        ),
        ("from shop.till import Till\nTill().add(1)\n", False),
    ],
    ids=["tests", "a script"],
)
def test_files_called_test_hold_tests(tmp_path: Path, text: str, is_found: bool) -> None:
    assert found(tmp_path, {"test.py": text}) == (["test.py"] if is_found else [])


def test_installed_built_and_hidden_files_are_skipped(tmp_path: Path) -> None:
    text = "from shop.till import Till\nTill().add(1)\n"
    files = {
        "my-env/pyvenv.cfg": "",
        "my-env/lib/test_a.py": text,
        ".tox/test_b.py": text,
        "node_modules/x/test_c.py": text,
        "build/lib/test_d.py": text,
        "tests/test_e.py": text,
    }
    assert found(tmp_path, files) == ["tests/test_e.py"]


def test_relative_imports_between_tests_are_followed(tmp_path: Path) -> None:
    files = {
        "src/shop/tests/__init__.py": "",
        "src/shop/tests/tools.py": "from ..till import Till\n",
        "src/shop/tests/test_a.py": "from .tools import Till\n\ndef test_a():\n    Till().add(1)\n",
        "src/shop/tests/test_b.py": "from ..other import other\n",
    }
    assert found(tmp_path, files) == ["src/shop/tests/test_a.py"]


def test_unsaved_texts_stand_in_for_files(tmp_path: Path) -> None:
    write_project(tmp_path, {**SHOP, "tests/test_a.py": "pass\n"})
    text = "from shop.till import Till\nTill().add(1)\n"
    texts = {"tests/test_a.py": text, "tests/test_new.py": text}
    paths, _left_out, _dropped, _documents, stopped = reach.find(str(tmp_path), "src/shop/till.py", "Till.add", texts)
    assert paths == ["tests/test_a.py", "tests/test_new.py"]
    assert stopped == ""


def test_too_many_files_are_cut_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "MAX_FILES", 5)
    monkeypatch.setattr(reach, "MAX_TESTS", 2)
    write_project(tmp_path, {f"a{number}/test_a.py": "from sums import double\ndouble(1)\n" for number in range(9)})
    assert reach.find(str(tmp_path), "sums.py", "double", {}).stopped.startswith("5 test files may reach the target")
    monkeypatch.setattr(reach, "MAX_TESTS", 20)
    paths, _left_out, _dropped, _documents, stopped = reach.find(str(tmp_path), "sums.py", "double", {})
    assert len(paths) == 5
    assert stopped == "Only the first 5 Python files were searched for tests."


LIBRARY = """
import abc
import registry
from registry import app


class Shape(abc.ABC):
    def __eq__(self, other):
        return self.area() == other.area()

    def area(self):
        return self._side() ** 2

    def _side(self):
        return 1

    def visit_point(self):
        return 1

    def visit(self, kind):
        return getattr(self, "visit_" + kind)()


class Square(Shape):
    pass


def total(shapes):
    return sum(each.area() for each in shapes)


def largest(shapes):
    return max(shapes)


TABLE = {"largest": largest}
alias = largest


@app.route("/")
def page():
    return largest([])


def make():
    return Square()


def handed():
    return 1


registry.add(handed)
"""

USES = """
import pytest
import shapes
from shapes import *


@pytest.fixture
def square():
    return shapes.make()


def helper():
    return shapes.total([])


def test_equal(square):
    assert square == square


def test_total():
    assert helper() == 0


def test_table():
    assert shapes.TABLE


def test_alias():
    assert shapes.alias([1]) == 1


def test_text(mocker):
    mocker.patch("shapes.total")


def test_looked_up():
    assert all(getattr(shapes, name) for name in shapes.__all__)


def test_visit(square):
    assert square.visit("point") == 1


def test_nothing():
    assert True


class TestSquare:
    side = shapes.Square

    def test_one(self):
        assert self.side


class TestNothing:
    def test_one(self):
        assert True
"""

KEPT = {
    "Shape.__eq__": ["test_equal", "test_looked_up", "test_visit", "TestSquare.test_one"],
    "Shape._side": [
        *("test_equal", "test_total", "test_text", "test_looked_up", "test_visit", "TestSquare.test_one"),
    ],
    "Shape.visit_point": ["test_equal", "test_looked_up", "test_visit", "TestSquare.test_one"],
    "total": ["test_total", "test_text", "test_looked_up"],
    "largest": ["test_table", "test_alias", "test_looked_up"],
    "handed": [
        *("test_equal", "test_total", "test_table", "test_alias", "test_text", "test_looked_up", "test_visit"),
        *("test_nothing", "TestSquare.test_one", "TestNothing.test_one"),
    ],
}


@pytest.mark.parametrize("target", KEPT)
def test_only_leading_functions_are_kept(tmp_path: Path, target: str) -> None:
    """A test is kept if it uses a name that leads to the target; what cannot be followed keeps all of them."""
    write_project(tmp_path, {"shapes.py": LIBRARY, "test_shapes.py": USES})
    found = reach.find(str(tmp_path), "shapes.py", target, {})
    functions = Module(USES.encode()).functions
    tests = [name for name in functions if name.rpartition(".")[2].startswith("test")]
    assert found.paths == ["test_shapes.py"]
    assert {name for name in tests if name not in found.left_out["test_shapes.py"]} == set(KEPT[target])


@pytest.mark.parametrize(
    "before",
    [
        "@pytest.fixture(autouse=True)\ndef always():\n    shapes.total([])\n",
        "def setup_module():\n    shapes.total([])\n",
        "pytestmark = pytest.mark.parametrize('n', [shapes.total([])])\n",
        "shapes.total([])\n",
    ],
    ids=["automatic fixture", "setup", "mark", "import"],
)
def test_what_is_for_all_keeps_all(tmp_path: Path, before: str) -> None:
    text = f"import pytest\nimport shapes\n\n{before}\ndef test_nothing():\n    assert True\n"
    write_project(tmp_path, {"shapes.py": LIBRARY, "test_shapes.py": text})
    assert reach.find(str(tmp_path), "shapes.py", "total", {}).left_out == {"test_shapes.py": set()}


def test_fixtures_of_conftest_lead_on(tmp_path: Path) -> None:
    conftest = "import pytest, shapes\n\n@pytest.fixture\ndef sum_of_all():\n    return shapes.total([])\n"
    tests = "def test_used(sum_of_all):\n    assert sum_of_all == 0\n\ndef test_unused():\n    assert True\n"
    write_project(tmp_path, {"shapes.py": LIBRARY, "conftest.py": conftest, "test_shapes.py": tests})
    assert reach.find(str(tmp_path), "shapes.py", "total", {}).left_out == {"test_shapes.py": {"test_unused"}}


@pytest.mark.parametrize(
    ("inner", "kept"),
    [
        pytest.param("far", {"test_far", "test_near"}, id="all can be followed"),
        pytest.param("near", {"test_far", "test_near", "test_loose"}, id="not the second step"),
        pytest.param("farther", {"test_far", "test_near"}, id="not the fourth step"),
    ],
)
def test_nearest_names_count_alone(tmp_path: Path, inner: str, kept: set[str]) -> None:
    """A module that calls one of the names when it is imported may be far from the target, or next to it."""
    steps = ("total", "near", "far", "farther", "farthest")
    callers = [f"def {each}():\n    return {below}()\n\n" for below, each in pairwise(steps)]
    chain = "def total():\n    return 0\n\n" + "".join(callers)
    tests = (
        "".join(f"def test_{each}():\n    chain.{each}()\n\n" for each in ("near", "far"))
        + "def test_loose():\n    pass\n"
    )
    loose = {} if inner == "far" else {"loose.py": f"import chain\n\nchain.{inner}()\n"}
    write_project(tmp_path, {"chain.py": chain, "test_chain.py": "import chain\n\n" + tests, **loose})
    left_out = reach.find(str(tmp_path), "chain.py", "total", {}).left_out["test_chain.py"]
    assert {"test_far", "test_near", "test_loose"} - left_out == kept


WAYS = {
    "a loader of modules": {
        "app/__init__.py": "",
        "app/loader.py": "import importlib\n\ndef load(name):\n    return importlib.import_module('app.' + name)\n",
        "app/lazy.py": "def total(shapes):\n    return 0\n",
        "shapes.py": "",
        "tests/test_a.py": "from app.loader import load\n\ndef test_a():\n    assert load('lazy').total([]) == 0\n",
        "tests/test_b.py": "import app.lazy\n\ndef test_b():\n    pass\n",
    },
    "a helper in a file of tests": {
        "tests/test_tools.py": "import shapes\n\ndef check(given, wanted):\n    assert shapes.total(given) == wanted\n",
        "tests/test_a.py": "from test_tools import check\n\ndef test_a():\n    check([], 0)\n",
    },
    "a fixture under another name": {
        "tests/conftest.py": (
            "import pytest, shapes\n\n@pytest.fixture(name='summed')\ndef _sum():\n    return shapes.total\n"
        ),
        "tests/test_a.py": "def test_a(summed):\n    assert summed([]) == 0\n",
    },
    "a registry": {
        "bus.py": "HANDLERS = {}\n\ndef on(event):\n    return lambda f: HANDLERS.setdefault(event, f)\n",
        "shapes.py": "from bus import on\n\n@on('saved')\ndef total(shapes):\n    return 0\n",
        "tests/test_a.py": "import bus, shapes\n\ndef test_a():\n    assert bus.HANDLERS['saved']([]) == 0\n",
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_that_names_show(tmp_path: Path, way: str) -> None:
    write_project(tmp_path, {"shapes.py": LIBRARY, "tests/test_b.py": "import shapes\n\ndef test_b():\n    pass\n"})
    write_project(tmp_path, WAYS[way])
    path = "app/lazy.py" if "app/lazy.py" in WAYS[way] else "shapes.py"
    found = reach.find(str(tmp_path), path, "total", {})
    assert "test_a" not in found.left_out["tests/test_a.py"]
    assert found.dropped == ["tests/test_b.py"]


IDLE = "import shop.till\n\ndef test_idle():\n    assert True\n"


def test_files_out_of_testpaths_need_a_name(tmp_path: Path) -> None:
    """Benchmarks that the project does not run are no tests to fall back on."""
    files = {
        "pytest.ini": "[pytest]\ntestpaths = tes*\n",
        "tests/test_idle.py": IDLE,
        "bench/test_idle.py": IDLE,
        "bench/test_till.py": "from shop.till import Till\n\ndef test_add():\n    assert Till().add(1)\n",
    }
    write_project(tmp_path, {**SHOP, **files})
    told = reach.find(str(tmp_path), "src/shop/till.py", "Till.add", {})
    assert (told.paths, told.dropped) == (["bench/test_till.py"], ["tests/test_idle.py"])


@pytest.mark.parametrize(
    "files",
    [{"pytest.ini": "[pytest]\ntestpaths = test\n"}, {"Makefile": "test:\n\tpython -m pytest tests integration\n"}],
    ids=["no such path", "a folder in the Makefile"],
)
def test_files_that_a_project_runs_count(tmp_path: Path, files: dict[str, str]) -> None:
    usual = {
        "pytest.ini": "[pytest]\ntestpaths = tests\n",
        "tests/test_idle.py": IDLE,
        "integration/test_idle.py": IDLE,
    }
    write_project(tmp_path, {**SHOP, **usual, **files})
    told = reach.find(str(tmp_path), "src/shop/till.py", "Till.add", {})
    assert set(told.dropped) == {"tests/test_idle.py", "integration/test_idle.py"}


DJANGO = {
    "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = site1.settings.test\n",
    "site1/settings/__init__.py": "",
    "site1/settings/base.py": "INSTALLED_APPS = ['django.contrib.auth', 'desk']\nROOT_URLCONF = 'site1.urls'\n",
    "site1/settings/test.py": "from .base import *\n",
    "site1/urls.py": "from django.urls import path\nfrom desk.views import price\n\nurlpatterns = [path('', price)]\n",
    "desk/__init__.py": "",
    "desk/models.py": "from desk.prices import rounded\n\nclass Order:\n    def due(self):\n        rounded(1)\n",
    "desk/prices.py": "def rounded(n):\n    return n\n",
    "desk/views.py": "def price(request):\n    return '5'\n",
    "desk/aside.py": "def unused():\n    return unused() or None\n",
    "tests/test_pages.py": "def test_page(client):\n    assert client.get('/').content == b'5'\n",
    "tests/test_orders.py": "def test_due(order):\n    assert order.due() == 1\n",
}


@pytest.mark.parametrize(
    ("path", "name", "leading", "others"),
    [
        ("desk/views.py", "price", [], ["tests/test_orders.py", "tests/test_pages.py"]),
        ("desk/prices.py", "rounded", ["tests/test_orders.py"], ["tests/test_pages.py"]),
        ("desk/aside.py", "unused", [], []),
    ],
)
def test_django_imports_what_settings_name(
    tmp_path: Path, path: str, name: str, leading: list[str], others: list[str]
) -> None:
    """No name leads from a test to what answers its request, so such tests are among the others."""
    write_project(tmp_path, DJANGO)
    tests = reach.find(str(tmp_path), path, name, {})
    assert (tests.paths, sorted(tests.dropped)) == (leading, others)


def test_modules_named_in_strings_are_imported(tmp_path: Path) -> None:
    files = {
        "src/shop/main.py": "COMMANDS = ['shop.till:Till']\n\ndef run(name):\n    return load(name)\n",
        "tests/test_main.py": "from shop.main import run\n\ndef test():\n    assert run('Till').add(1)\n",
        "tests/test_other.py": "from shop.other import other\n\ndef test():\n    assert other().add(1)\n",
    }
    assert found(tmp_path, files) == ["tests/test_main.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files")
def test_pipes_are_not_read(tmp_path: Path) -> None:
    """To open one waits until somebody writes to it."""
    (tmp_path / "plain.py").touch()
    os.mkfifo(tmp_path / "test_pipe.py")
    (tmp_path / "test_link.py").symlink_to("test_pipe.py")
    assert reach.python_files(str(tmp_path)) == ([str(tmp_path / "plain.py")], "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files")
@pytest.mark.timeout(30)
def test_pipes_have_no_examples(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "usage.md")
    assert has_examples(str(tmp_path / "usage.md"), {}) == b""
