"""The overlay: an import gets the replacement text of a file, and the file stays unchanged."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import shutil
from pathlib import Path

import pytest

from certo.sandbox.confinement.kernel_features import NO_WALLS
from certo.sandbox.executor import Executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from support.projects.bare_environment import bare_interpreter
from support.sandbox.stage import Heard, Stage

TELL_VALUE = """
    import importlib

    def main(request, tell):
        module = importlib.import_module(request["module"])
        tell({"value": module.value, "file": module.__file__})
"""

RUN_PYTEST = """
    import contextlib, io, pytest

    def main(request, tell):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = pytest.main(["-q", "-p", "no:cacheprovider", *request["arguments"]])
        tell({"code": int(code), "said": said.getvalue()})
"""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.fixture
async def executor() -> Executor:
    return LocalExecutor(SandboxOptions(slots=1))


def only(heard: Heard) -> dict[str, object]:
    """Return the one message of a run that ended well."""
    assert heard.finished.complete, heard.finished.printed
    [message] = heard.messages
    return message


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("one.py", "one"),
        ("pack/__init__.py", "pack"),
        ("pack/sub/one.py", "pack.sub.one"),
        ("name_space/one.py", "name_space.one"),
    ],
)
@pytest.mark.parametrize("on_disk", [True, False])
async def test_modules_packages_and_namespaces(
    executor: Executor, stage: Stage, path: str, module: str, on_disk: bool
) -> None:
    stage.write({"pack/sub/__init__.py": "", "name_space/other.py": ""})
    if path != "pack/__init__.py":
        stage.write({"pack/__init__.py": ""})
    if on_disk:
        stage.write({path: "value = 1\n"})
    message = only(await stage.run(executor, TELL_VALUE, request={"module": module}, overlay={path: "value = 2\n"}))
    assert message == {"value": 2, "file": str(stage.root / path)}


async def test_relative_imports_within_an_overlaid_package(executor: Executor, stage: Stage) -> None:
    stage.write({"pack/__init__.py": "", "pack/one.py": "value = 1\n", "pack/two.py": "from .one import value\n"})
    overlay = {"pack/one.py": "from .new import value\n", "pack/new.py": "value = 5\n"}
    assert only(await stage.run(executor, TELL_VALUE, request={"module": "pack.two"}, overlay=overlay))["value"] == 5


async def test_file_is_overlaid_through_a_link(executor: Executor, stage: Stage) -> None:
    stage.write({"src/pack/__init__.py": "", "src/pack/one.py": "value = 1\n"})
    program = """
        import sys

        def main(request, tell):
            sys.path.insert(0, request["link"])
            import pack.one, pack.new
            tell({"values": [pack.one.value, pack.new.value]})
    """
    # An editable install may reach the project's files by another name, here through a link.
    link = stage.home / "installed"
    os.symlink(stage.root / "src", link)
    overlay = {"src/pack/one.py": "value = 2\n", "src/pack/new.py": "value = 3\n"}
    assert only(await stage.run(executor, program, request={"link": str(link)}, overlay=overlay))["values"] == [2, 3]


async def test_a_file_loaded_by_its_place(executor: Executor, stage: Stage) -> None:
    stage.write({"odd-name.py": "value = 1\n"})
    program = """
        import importlib.util, runpy

        def main(request, tell):
            spec = importlib.util.spec_from_file_location("odd", "odd-name.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            tell({"value": module.value, "source": spec.loader.get_source("odd")})
    """
    overlay = {"odd-name.py": "# -*- coding: latin-1 -*-\nvalue = 'é'\n"}
    message = only(await stage.run(executor, program, overlay=overlay))
    assert message == {"value": "é", "source": overlay["odd-name.py"]}


@pytest.mark.parametrize("mode", list(py_compile.PycInvalidationMode))
async def test_stale_bytecode_is_ignored_and_left_alone(
    executor: Executor, stage: Stage, mode: py_compile.PycInvalidationMode
) -> None:
    stage.write({"one.py": "value = 1\n"})
    cached = Path(importlib.util.cache_from_source(str(stage.root / "one.py")))
    py_compile.compile(str(stage.root / "one.py"), cfile=str(cached), invalidation_mode=mode)
    before = stage.digest()
    overlay = {"one.py": "value = 2\n"}  # as long as the file, so that only the time could tell them apart
    assert only(await stage.run(executor, TELL_VALUE, request={"module": "one"}, overlay=overlay))["value"] == 2
    assert stage.digest() == before


async def test_tracebacks_show_the_overlay(executor: Executor, stage: Stage) -> None:
    stage.write({"one.py": "value = 1\n\n\n"})
    heard = await stage.run(
        executor, TELL_VALUE, request={"module": "one"}, overlay={"one.py": "def no():\n    1 / 0  # mine\n\nno()\n"}
    )
    assert not heard.finished.complete
    assert "1 / 0  # mine" in heard.finished.printed


async def test_our_own_places_shadow_nothing(executor: Executor, stage: Stage) -> None:
    names = ("channel", "overlay", "confine", "keeper", "shell")
    stage.write({f"{name}.py": "value = 'the project'\n" for name in names})
    program = """
        import importlib, sys

        def main(request, tell):
            values = [importlib.import_module(name).value for name in request["names"]]
            tell({"values": values, "first": sys.path[0], "last": sys.path[-2:]})
    """
    message = only(await stage.run(executor, program, request={"names": names}))
    assert message["values"] == ["the project"] * len(names)
    assert message["first"] == str(stage.root)
    assert [Path(place).name for place in message["last"]] == ["programs", "worker"]


@pytest.mark.parametrize("mode", ["prepend", "append", "importlib"])
async def test_assertions_are_rewritten_on_disk_and_overlaid(executor: Executor, stage: Stage, mode: str) -> None:
    stage.write(
        {
            "target.py": "def double(x):\n    return x\n",
            "conftest.py": "import pytest\n\n@pytest.fixture\ndef three():\n    return 0\n",
            "test_disk.py": "import target\n\ndef test_disk():\n    assert target.double(21) == 43\n",
            "tests/test_unsaved.py": "def test_unsaved():\n    pass\n",
            "pytest.ini": f"[pytest]\npythonpath = .\naddopts = --import-mode={mode}\n",
        }
    )
    overlay = {
        "target.py": "def double(x):\n    return 2 * x\n",
        "conftest.py": "import pytest\n\n@pytest.fixture\ndef three():\n    return 3\n",
        "tests/test_unsaved.py": "import target\n\ndef test_unsaved(three):\n    assert target.double(three) == 7\n",
    }
    message = only(
        await stage.run(
            executor,
            RUN_PYTEST,
            request={"arguments": ["."]},
            overlay=overlay,
            interpreter=bare_interpreter(),
            wall_seconds=60,
        )
    )
    assert message["code"] == 1
    said = str(message["said"])
    assert "assert 42 == 43" in said
    assert "assert 6 == 7" in said
    assert "where 6 = <function double" in said
    assert "def test_unsaved(three):" in said
    assert "2 failed" in said


async def test_cached_bytecode_does_not_replace_overlaid_tests(executor: Executor, stage: Stage) -> None:
    stage.write({"test_one.py": "def test_one():\n    assert 1 == 1\n"})
    warm = "import pytest\n\ndef main(request, tell):\n    tell({'code': int(pytest.main(['-q']))})\n"
    # The user's own run of pytest, which writes its bytecode beside the tests.
    warm = "import sys\nsys.dont_write_bytecode = False\n" + warm
    python = bare_interpreter()
    free = LocalExecutor(SandboxOptions(slots=1), NO_WALLS)
    assert only(await stage.run(free, warm, interpreter=python))["code"] == 0
    assert list((stage.root / "__pycache__").glob("test_one*pytest*.pyc"))
    overlay = {"test_one.py": "def test_one():\n    assert 1 == 2\n"}
    asked = {"arguments": ["test_one.py"]}
    message = only(await stage.run(executor, RUN_PYTEST, request=asked, overlay=overlay, interpreter=python))
    assert message["code"] == 1
    shutil.rmtree(stage.root / "__pycache__")


async def test_overlaid_syntax_error_fails_the_import(executor: Executor, stage: Stage) -> None:
    stage.write({"one.py": "value = 1\n"})
    heard = await stage.run(executor, TELL_VALUE, request={"module": "one"}, overlay={"one.py": "value = = 2\n"})
    assert not heard.finished.complete
    assert "SyntaxError" in heard.finished.printed
