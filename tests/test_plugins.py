"""A registry loads by name, and every wrong name gets a sentence that helps."""

from __future__ import annotations

import importlib
import os
import re
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from certo import plugins
from certo.plugins import Registry
from certo.vocabulary.errors import BadSetting

TABLE: Registry[object] = Registry(kind="shape", builtin={"path": "pathlib:Path", "gone": "colorsys:missing"})


@pytest.fixture
def brought(monkeypatch):
    """Let entry points of the group certo.shapes be the ones given."""

    def bring(**values: str) -> None:
        points = EntryPoints(EntryPoint(name, value, "certo.shapes") for name, value in values.items())
        monkeypatch.setattr(plugins, "entry_points", lambda: points)

    return bring


def test_a_built_in_is_loaded_by_name():
    from pathlib import Path

    assert TABLE.load("path") is Path


def test_naming_imports_nothing():
    sys.modules.pop("colorsys", None)
    assert "gone" in TABLE.names()
    assert "colorsys" not in sys.modules


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(BadSetting, match="there is no shape 'circle'; known: path, gone"):
        TABLE.load("circle")


def test_others_bring_theirs_by_entry_point(brought):
    brought(square="collections:OrderedDict")
    from collections import OrderedDict

    assert TABLE.load("square") is OrderedDict
    assert TABLE.names() == ("path", "gone", "square")


def test_name_taken_twice_is_refused_naming_both(brought):
    brought(path="elsewhere:Path")
    with pytest.raises(BadSetting, match=r"'path' is built in \(pathlib:Path\) and also brought by elsewhere:Path"):
        TABLE.load("path")


def test_unimportable_plug_in_gives_name_and_reason(brought):
    brought(square="no_such_module:Square")
    with pytest.raises(BadSetting, match="no_such_module:Square cannot be loaded: No module named 'no_such_module'"):
        TABLE.load("square")


def test_plug_ins_can_register_by_decorator(brought, tmp_path, monkeypatch):
    """An entry point may import the module that registers."""
    (tmp_path / "rounding.py").write_text(
        'from certo.plugins import register\n\n\n@register("shape", "circle")\nclass Circle:\n    pass\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "_registered", {})
    brought(circle="rounding", oval="rounding")
    assert TABLE.load("circle").__name__ == "Circle"
    with pytest.raises(BadSetting, match="'oval' of rounding cannot be loaded: the module registers nothing of this"):
        TABLE.load("oval")
    with pytest.raises(BadSetting, match=r"'circle' is rounding:Circle already; give .*other another name"):

        @plugins.register("shape", "circle")
        def other() -> None: ...


def test_plug_ins_load_by_import_path():
    from collections import OrderedDict

    assert TABLE.load("collections:OrderedDict") is OrderedDict
    with pytest.raises(BadSetting, match="'collections:Nothing' of collections:Nothing cannot be loaded: module"):
        TABLE.load("collections:Nothing")


@pytest.mark.acceptance(66)
def test_broken_plug_in_is_listed_with_error(brought, tmp_path, monkeypatch):
    """A plug-in that cannot be loaded is shown by name, whatever its module raised."""
    (tmp_path / "shattered.py").write_text("raise RuntimeError('no triangle today')\n")
    monkeypatch.syspath_prepend(tmp_path)
    brought(square="collections:OrderedDict", triangle="shattered:Triangle")
    said = "the shape 'triangle' of shattered:Triangle cannot be loaded: no triangle today"
    with pytest.raises(BadSetting, match=said):
        TABLE.load("triangle")
    with pytest.raises(BadSetting) as unknown:
        TABLE.load("circle")
    assert str(unknown.value) == (f"there is no shape 'circle'; known: path, gone, square, triangle (broken: {said})")
    assert [(each.name, bool(each.failure)) for each in TABLE.brought()] == [("square", False), ("triangle", True)]


def test_packages_that_share_a_name_are_refused(monkeypatch):
    """The message names both."""
    points = EntryPoints(EntryPoint("square", value, "certo.shapes") for value in ("one:Square", "two:Square"))
    monkeypatch.setattr(plugins, "entry_points", lambda: points)
    with pytest.raises(BadSetting, match="the shape 'square' is brought twice, by one:Square and two:Square"):
        TABLE.load("square")


def test_package_installed_meanwhile_is_found(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    registry: Registry[object] = Registry(kind="late", builtin={})
    assert registry.names() == ()
    about = tmp_path / "late-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[certo.lates]\nlate = pathlib:Path\n")
    assert registry.names() == ("late",)


def test_other_files_keep_entry_points(tmp_path, monkeypatch):
    """A script's folder is searched for packages too, and changes with each file; a package replaced in it counts."""
    monkeypatch.syspath_prepend(tmp_path)
    about = tmp_path / "late-1.0.dist-info"
    about.mkdir()
    read = []
    monkeypatch.setattr(plugins, "entry_points", lambda: read.append(1) or EntryPoints())
    registry: Registry[object] = Registry(kind="late", builtin={})
    registry.names()
    (tmp_path / "notes.txt").touch()
    os.utime(tmp_path, ns=(1, 1))
    registry.names()
    assert len(read) == 1
    about.rename(tmp_path / "late-1.1.dist-info")
    os.utime(tmp_path, ns=(2, 2))
    registry.names()
    assert len(read) == 2


def test_file_is_loaded_by_its_whole_path(tmp_path, monkeypatch):
    """It needs no package and no path of imports; a changed file is executed again, and an unchanged one is not."""
    file = tmp_path / "my_shape.py"
    file.write_text("class Round:\n    sides = 0\n")
    monkeypatch.chdir(tmp_path)
    place = plugins.whole_place("my_shape.py:Round")
    assert place == f"{tmp_path}/my_shape.py:Round"
    first = TABLE.load(place)
    assert first is TABLE.load(place)
    file.write_text("class Round:\n    sides = 1\n")
    os.utime(file, (1, 1))
    assert TABLE.load(place).sides == 1
    assert plugins.whole_place("my_shape:Round") == "my_shape:Round"


def test_relative_file_is_refused(tmp_path, monkeypatch):
    """A setting that is kept would name another file in each project, and a cloned one may bring its own."""
    (tmp_path / "my_shape.py").write_text("Round = 1\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadSetting, match=r"my_shape\.py is not a whole path; write one that begins with / or ~"):
        TABLE.load("my_shape.py:Round")


@pytest.mark.parametrize("name", ["/tmp/a.py:X", "~/a.py:X", "./a.py:X", "a.py:X=2.5", "a b.py:X", "module:X"])
def test_projects_may_not_name_files(name):
    assert not plugins.names_installed_code([name])


@pytest.mark.parametrize("kind", ["strategies", "generators", "verifiers", "costs", "executors", "evaluators"])
def test_each_kind_has_a_module(kind):
    """It offers what the example of this kind imports, which imports nothing else of certo."""
    module = importlib.import_module(f"certo.{kind}")
    offered = getattr(module, "_OFFERED", None) or module.__all__
    assert all(getattr(module, name) is not None for name in offered)
    assert module.register is plugins.register
    with pytest.raises(AttributeError):
        module.nothing  # noqa: B018 - the access is what is tested


def test_examples_import_public_modules_only():
    places = (Path(__file__).parents[1] / "examples" / "plugins").glob("*/*.py")
    named = {
        line.split()[1] for file in places for line in file.read_text().splitlines() if re.match("from certo", line)
    }
    kinds = {"strategies", "generators", "verifiers", "costs", "executors", "evaluators", "testing", "plugins"}
    assert named <= {"certo", *(f"certo.{kind}" for kind in kinds)}
