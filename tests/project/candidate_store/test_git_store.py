"""Experiments on git leave the user's repository as it is, whatever its state."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from certo.project.candidate_store.backends import ExperimentsOf
from certo.project.candidate_store.git_store import GitExperiments
from certo.project.candidate_store.store import CandidateStore, StoredCandidate
from certo.vocabulary.errors import ExperimentsUnavailable
from support.projects.repositories import Stage, begin, commit, everything_in, git

pytestmark = pytest.mark.acceptance(61, 62)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    begin(tmp_path / "shop")
    stage = Stage(tmp_path / "shop", tmp_path / "experiments" / "shop")
    stage.write(shop_py="x = 1\n", deep__till_py="COINS = ()\n", _gitignore="*.log\n")
    commit(stage.root)
    return stage


def experiment(
    number: int, content: bytes = b"x = 2\n", parent: int | None = None, path: str = "shop.py"
) -> StoredCandidate:
    return StoredCandidate(number=number, parent=parent, files={path: content}, message=f"try {number}\n")


async def kept(stage: Stage, *experiments: StoredCandidate) -> CandidateStore:
    ours = await stage.experiments.of("5eac")
    async with ours.begun({}) as keeping:
        for each in experiments or (experiment(1),):
            await keeping.keep(each)
    return ours


def shadow(stage: Stage) -> Path:
    return stage.state / "5eac.git"


async def base(stage: Stage) -> dict[str, str]:
    """The files of the base with what they hold."""
    await kept(stage)
    listed = git(shadow(stage), "ls-tree", "-r", "-z", "--name-only", "certo/5eac/base").split("\0")
    return {path: git(shadow(stage), "cat-file", "blob", f"certo/5eac/base:{path}") for path in listed if path}


async def test_the_users_repository_is_not_written(stage: Stage) -> None:
    for hook in ("post-checkout", "post-commit", "reference-transaction", "pre-commit", "post-index-change"):
        script = stage.root / ".git" / "hooks" / hook
        script.write_text(f"#!/bin/sh\necho {hook} >> '{stage.root.parent}/ran'\n")
        script.chmod(0o755)
    git(stage.root, "config", "core.fsmonitor", str(stage.root / ".git" / "hooks" / "post-commit"))
    git(stage.root, "config", "filter.spy.clean", str(stage.root / ".git" / "hooks" / "post-commit"))
    git(stage.root, "config", "commit.gpgSign", "true")
    stage.write(_gitattributes="*.py filter=spy diff=spy\n", new_py="new\n", deep__till_py="COINS = (1,)\n")
    # Objects that are there already are not marked as new either.
    stage.write(copy_py="x = 1\n", other__till_py="COINS = ()\n")
    (stage.root.parent / "ran").unlink(missing_ok=True)
    before = everything_in(stage.root)
    ours = await stage.experiments.of("5eac")
    async with ours.begun({"shop.py": b"x = 1\n", "new.py": b"x = 1\r\n"}) as keeping:
        for each in (
            experiment(1),
            experiment(2, b"x = 3\n", 1),
            experiment(3, b"COINS = ()\n"),
            experiment(4, b"\r\n"),
        ):
            await keeping.keep(each)
    async with ours.materialized(2):
        assert await ours.files(2) == {"shop.py": b"x = 3\n"}
    await stage.experiments.forget("5eac")
    assert everything_in(stage.root) == before
    assert not (stage.root.parent / "ran").exists()


async def test_git_variables_do_not_redirect_the_store(stage: Stage, tmp_path: Path) -> None:
    begin(tmp_path / "other")
    before = everything_in(tmp_path / "other")
    environ = {**stage.environ, "GIT_DIR": str(tmp_path / "other" / ".git"), "GIT_INDEX_FILE": str(tmp_path / "index")}
    ours = await ExperimentsOf(root=stage.root, folder=stage.state, environ=environ, say=stage.said.append).of("5eac")
    async with ours.begun({}) as keeping:
        await keeping.keep(experiment(1))
    assert git(shadow(stage), "log", "--format=%s", "certo/5eac/1") == "\n".join(
        ["try 1", "The project as search 5eac found it", "as it is"]
    )
    assert everything_in(tmp_path / "other") == before
    assert not (tmp_path / "index").exists()


async def test_a_branch_is_based_on_its_parent(stage: Stage) -> None:
    await kept(stage, experiment(1), experiment(2, b"x = 3\n"), experiment(5, b"x = 4\n", 2))
    log = git(shadow(stage), "log", "--format=%s", "certo/5eac/5")
    assert log.splitlines() == ["try 5", "try 2", "The project as search 5eac found it", "as it is"]
    assert git(shadow(stage), "log", "--format=%s", "certo/5eac/1").splitlines()[0] == "try 1"
    assert git(shadow(stage), "fsck", "--strict", "--no-dangling") == ""


async def test_the_base_is_the_tree_on_disk(stage: Stage) -> None:
    """Unstaged and untracked files are in it, deleted and ignored ones are not."""
    stage.write(staged_py="staged\n")
    git(stage.root, "add", "staged.py")
    stage.write(
        staged_py="staged, and changed\n", shop_py="x = 'unstaged'\n", deep__new_py="untracked\n", a_log="ignored"
    )
    stage.put("data.bin", b"\0\1\2")
    stage.put(".venv/pyvenv.cfg", b"")
    stage.put(".venv/lib/module.py", b"")
    (stage.root / "deep" / "till.py").unlink()
    assert await base(stage) == {
        ".gitignore": "*.log",
        "deep/new.py": "untracked",
        "shop.py": "x = 'unstaged'",
        "staged.py": "staged, and changed",
    }


async def test_untracked_secrets_are_not_in_the_base(stage: Stage) -> None:
    """A file like a secret by name, place or content is taken only if git tracks it, saved or not."""
    stage.put(".env.test", b"KEY=tracked")
    git(stage.root, "add", ".env.test")
    key = b"-----BEGIN PRIVATE KEY-----\n" + b"A" * 64
    for path in (".env", "deep/token.pem", ".aws/config", "notes.txt"):
        stage.put(path, key)
    ours = await stage.experiments.of("5eac")
    async with ours.begun({".env": b"KEY=open in an editor", ".env.test": b"KEY=changed"}) as keeping:
        await keeping.keep(experiment(1))
    listed = git(shadow(stage), "ls-tree", "-r", "--name-only", "certo/5eac/base").splitlines()
    assert listed == [".env.test", ".gitignore", "deep/till.py", "shop.py"]
    assert git(shadow(stage), "cat-file", "blob", "certo/5eac/base:.env.test") == "KEY=changed"


async def test_what_the_user_ignores_elsewhere_is_ignored(stage: Stage) -> None:
    (stage.root / ".git" / "info" / "exclude").write_text("private.py\n")
    home = Path(stage.environ["HOME"])
    (home / ".config" / "git").mkdir(parents=True)
    (home / ".config" / "git" / "ignore").write_text("everywhere.py\n")
    stage.write(private_py="", everywhere_py="", taken_py="")
    assert set(await base(stage)) == {".gitignore", "deep/till.py", "shop.py", "taken.py"}
    git(stage.root, "config", "core.excludesFile", str(stage.root.parent / "chosen"))
    (stage.root.parent / "chosen").write_text("taken.py\n")
    await stage.experiments.forget("5eac")
    assert set(await base(stage)) == {".gitignore", "deep/till.py", "everywhere.py", "shop.py"}


async def test_an_unborn_branch_gives_a_parentless_base(stage: Stage, tmp_path: Path) -> None:
    begin(tmp_path / "young")
    young = Stage(tmp_path / "young", tmp_path / "experiments" / "young")
    young.write(shop_py="x = 1\n")
    await kept(young)
    assert git(shadow(young), "log", "--format=%s", "certo/5eac/1").splitlines() == [
        "try 1",
        "The project as search 5eac found it",
    ]


async def test_a_detached_head_is_the_parent(stage: Stage) -> None:
    first = git(stage.root, "rev-parse", "HEAD")
    commit(stage.root, "second")
    git(stage.root, "checkout", "-q", "--detach", first)
    await kept(stage)
    assert git(shadow(stage), "rev-parse", "certo/5eac/base^") == first


async def test_a_shallow_clone_works(stage: Stage, tmp_path: Path) -> None:
    commit(stage.root, "second")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{stage.root}", "shallow")
    clone = Stage(tmp_path / "shallow", tmp_path / "experiments" / "shallow")
    ours = await kept(clone)
    assert git(shadow(clone), "log", "--format=%s", "certo/5eac/1").splitlines()[-1] == "second"
    async with ours.materialized(1) as tree:
        assert (tree / "shop.py").read_bytes() == b"x = 2\n"


async def test_a_second_worktree_has_its_own_base(stage: Stage, tmp_path: Path) -> None:
    """Its index is its own, and the first repository is not written."""
    git(stage.root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    stage.put("shop.py", b"in the first\n")
    side = Stage(tmp_path / "side", tmp_path / "experiments" / "side")
    side.put("new.py", b"new\n")
    before = everything_in(stage.root / ".git")
    assert await base(side) == {
        ".gitignore": "*.log",
        "deep/till.py": "COINS = ()",
        "new.py": "new",
        "shop.py": "x = 1",
    }
    assert everything_in(stage.root / ".git") == before


async def test_a_submodule_is_left_as_it_is(stage: Stage, tmp_path: Path) -> None:
    begin(tmp_path / "library")
    Stage(tmp_path / "library", tmp_path).write(module_py="y = 1\n")
    commit(tmp_path / "library")
    git(stage.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    commit(stage.root, "with a library")
    entry = git(stage.root, "ls-tree", "HEAD", "lib")
    stage.put("lib/module.py", b"y = 2\n")
    commit(stage.root / "lib", "inside")
    ours = await kept(stage)
    assert git(shadow(stage), "ls-tree", "certo/5eac/1", "lib") == entry
    assert await ours.files(1) == {"shop.py": b"x = 2\n"}
    async with ours.begun({}) as keeping:
        with pytest.raises(ExperimentsUnavailable, match=r"lib/module\.py belongs to another repository"):
            await keeping.keep(experiment(2, path="lib/module.py"))


async def test_line_breaks_are_those_of_the_repository(stage: Stage) -> None:
    git(stage.root, "config", "core.autocrlf", "true")
    stage.put("shop.py", b"x = 1\r\ny = 1\r\n")
    ours = await kept(stage, experiment(1, b"x = 2\r\ny = 1\r\n"))
    changed = git(shadow(stage), "diff", "--numstat", "certo/5eac/base", "certo/5eac/1")
    assert changed == "1\t1\tshop.py"
    assert await ours.files(1) == {"shop.py": b"x = 2\r\ny = 1\r\n"}
    await ours.check_out(1, "certo/5eac/1")
    assert (stage.root / "shop.py").read_bytes() == b"x = 2\r\ny = 1\r\n"
    assert git(stage.root, "show", "HEAD:shop.py") == "x = 2\ny = 1"
    assert git(stage.root, "status", "--porcelain") == ""


async def test_modes_are_kept(stage: Stage) -> None:
    (stage.root / "shop.py").chmod(0o755)
    commit(stage.root)
    await kept(stage)
    assert git(shadow(stage), "ls-tree", "certo/5eac/1", "shop.py").startswith("100755 ")


async def test_an_index_in_two_parts_is_understood(stage: Stage) -> None:
    git(stage.root, "update-index", "--split-index")
    stage.write(new_py="new\n")
    assert set(await base(stage)) == {".gitignore", "deep/till.py", "new.py", "shop.py"}


async def test_repositories_with_sha256_names_work(tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    git(tmp_path / "long", "init", "-q", "--object-format=sha256")
    stage = Stage(tmp_path / "long", tmp_path / "experiments" / "long")
    stage.write(shop_py="x = 1\n")
    ours = await kept(stage)
    assert await ours.files(1) == {"shop.py": b"x = 2\n"}
    assert len((await ours.check_out(1, "new")).paths) == 1


async def test_an_unfinished_merge_can_be_the_base(stage: Stage) -> None:
    git(stage.root, "switch", "-q", "-c", "theirs")
    stage.put("shop.py", b"x = 'theirs'\n")
    commit(stage.root, "theirs")
    git(stage.root, "switch", "-q", "main")
    stage.put("shop.py", b"x = 'ours'\n")
    commit(stage.root, "ours")
    git(stage.root, "merge", "-q", "theirs", status=1)
    assert "<<<<<<<" in (await base(stage))["shop.py"]


async def test_a_bare_repository_gets_no_git_store(stage: Stage, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(stage.root), "bare")
    bare = Stage(tmp_path / "bare", tmp_path / "experiments" / "bare")
    assert not isinstance(await bare.experiments.of("5eac"), GitExperiments)


async def test_experiments_on_git_need_git_to_read(stage: Stage) -> None:
    """They also need the work tree; other searches and forgetting need neither."""
    await kept(stage)
    without = ExperimentsOf(root=stage.root, folder=stage.state, environ={"PATH": ""}, say=stage.said.append)
    with pytest.raises(ExperimentsUnavailable, match="kept on git, and git is not here, or too old"):
        await without.of("5eac")
    assert not isinstance(await without.of("beef"), GitExperiments)
    shutil.rmtree(stage.root / ".git")
    with pytest.raises(ExperimentsUnavailable, match="is in no work tree"):
        await stage.experiments.of("5eac")
    await stage.experiments.forget("5eac")
    assert not stage.state.exists()


async def test_git_may_be_too_old(stage: Stage, tmp_path: Path) -> None:
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.24.9\n")
    old.chmod(0o755)
    aged = ExperimentsOf(root=stage.root, folder=stage.state, environ={"PATH": str(old.parent)}, say=stage.said.append)
    assert not isinstance(await aged.of("5eac"), GitExperiments)


async def test_leftovers_of_killed_processes_do_no_harm(stage: Stage) -> None:
    await kept(stage)
    (shadow(stage) / "refs/heads/certo/5eac/.2").write_text("half of")
    (shadow(stage) / "refs/certo/last.lock").write_text("")
    (shadow(stage) / "objects/pack/tmp_pack_AbCdEf").write_bytes(b"PACK")
    (stage.state / ".5eac-0a1b2c3d" / "objects").mkdir(parents=True)
    ours = await kept(stage, experiment(2, b"x = 3\n", 1))
    assert await ours.numbers() == (1, 2)
    assert stage.experiments.searches() == {"5eac"}
    await stage.experiments.forget("5eac")
    assert not stage.state.exists()


async def test_an_unwritable_branch_is_reported(stage: Stage) -> None:
    ours = await stage.experiments.of("5eac")
    async with ours.begun({}) as keeping:
        (shadow(stage) / "refs/heads/certo/5eac/1").mkdir()
        with pytest.raises(ExperimentsUnavailable, match=r"5eac/1 cannot be written"):
            await keeping.keep(experiment(1))
    assert await ours.numbers() == ()


async def test_a_full_disk_loses_no_stored_experiment(stage: Stage) -> None:
    """The failure is reported."""
    ours = await stage.experiments.of("5eac")
    async with ours.begun({}) as keeping:
        await keeping.keep(experiment(1))
        packs = shadow(stage) / "objects" / "pack"
        full = packs.rename(packs.with_name("full"))
        packs.write_text("where nothing can be written")
        with pytest.raises(ExperimentsUnavailable, match="gave up"):
            await keeping.keep(experiment(2))
        with pytest.raises(ExperimentsUnavailable, match="gave up"):
            await keeping.keep(experiment(3))
        packs.unlink()
        full.rename(packs)
    assert await ours.numbers() == (1,)
    assert await ours.files(1) == {"shop.py": b"x = 2\n"}
