"""Real places of the files of modules."""

from __future__ import annotations

import os
from pathlib import Path

from certo_worker.observation.libraries import is_library, is_library_place, real_places


def test_real_places_are_those_of_realpath(tmp_path: Path) -> None:
    (tmp_path / "code" / "pack").mkdir(parents=True)
    (tmp_path / "code" / "pack" / "one.py").write_text("")
    (tmp_path / "linked").symlink_to(tmp_path / "code")
    (tmp_path / "code" / "two.py").symlink_to("pack/one.py")
    names = ("code/pack/one.py", "linked/pack/one.py", "linked/two.py", "code/gone.py", "code/pack/..", "linked/")
    files = [*(f"{tmp_path}/{name}" for name in names), "built-in", os.__file__]
    places = real_places(files)
    assert places == {file: os.path.realpath(file) for file in files}
    assert [is_library_place(places[file]) for file in files] == [is_library(file) for file in files]
