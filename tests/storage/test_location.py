"""The folders of journals and experiments."""

from __future__ import annotations

import stat
from pathlib import Path

from certo.storage.location import experiments_folder, journal_file, journal_folder, make_private


def test_the_folder_is_the_users_data_folder(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert journal_folder(home, "linux") == tmp_path / ".local/share/certo/journals"
    assert journal_folder(home, "darwin") == tmp_path / "Library/Application Support/certo/journals"
    assert journal_folder({**home, "LOCALAPPDATA": str(tmp_path / "L")}, "win32") == tmp_path / "L/certo/journals"
    assert journal_folder({**home, "XDG_DATA_HOME": "/data"}, "darwin") == Path("/data/certo/journals")


def test_projects_of_one_name_have_separate_journals() -> None:
    here, there = (journal_file(Path("/j"), Path(root)) for root in ("/a/my shop", "/b/my shop"))
    assert here.name.startswith("my-shop-")
    assert here.suffix == ".sqlite"
    assert here != there
    assert journal_file(Path("/j"), Path("/")).name.startswith("root-")


def test_experiments_stand_beside_the_journals() -> None:
    journals, root = Path("/data/certo/journals"), Path("/home/ada/shop")
    assert experiments_folder(journals, root).parent == Path("/data/certo/experiments")
    assert experiments_folder(journals, root).name == journal_file(journals, root).stem


def test_only_the_owner_may_look(tmp_path: Path) -> None:
    file = tmp_path / "certo" / "journals" / "till.sqlite"
    file.parent.mkdir(mode=0o755, parents=True)
    make_private(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.write_text("kept")
    make_private(file)
    assert file.read_text() == "kept"
