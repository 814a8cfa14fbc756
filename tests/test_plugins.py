"""A registry loads by name, and every wrong name gets a sentence that helps."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints

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
        monkeypatch.setattr(plugins, "entry_points", lambda *, group: points.select(group=group))

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


def test_a_name_taken_twice_is_refused_naming_both(brought):
    brought(path="elsewhere:Path")
    with pytest.raises(BadSetting, match=r"'path' is built in \(pathlib:Path\) and also brought by elsewhere:Path"):
        TABLE.load("path")


def test_a_plug_in_that_cannot_be_imported_says_which_and_why(brought):
    brought(square="no_such_module:Square")
    with pytest.raises(BadSetting, match="no_such_module:Square cannot be loaded: No module named 'no_such_module'"):
        TABLE.load("square")
