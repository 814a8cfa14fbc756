"""A checkout makes a commit of an experiment's changes alone, and loses nothing of the user's."""

from __future__ import annotations

import tempfile
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo.project.candidate_store.store import CandidateStore, CheckedOut, StoredCandidate
from certo.vocabulary.errors import CheckoutRefused, ExperimentsUnavailable
from support.projects.repositories import Stage, begin, commit, everything_in, git

pytestmark = pytest.mark.acceptance(63)

BRANCH = "certo/5eac/1"
BASE = "def f():\n    return 1\n\n\ndef gap():\n    return 0\n\n\ndef g():\n    return 1\n"
BETTER = BASE.replace("def g():\n    return 1", "def g():\n    return 2")
OWN = BASE.replace("def f():\n    return 1", "def f():\n    return 'own'")
BOTH = BETTER.replace("def f():\n    return 1", "def f():\n    return 'own'")
CLASH = BASE.replace("def g():\n    return 1", "def g():\n    return 'own'")


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    begin(tmp_path / "shop")
    stage = Stage(tmp_path / "shop", tmp_path / "experiments" / "shop")
    stage.write(shop_py=BASE, other_py="other\n")
    commit(stage.root)
    return stage


async def kept(stage: Stage, files: dict[str, bytes | None] | None = None) -> CandidateStore:
    ours = await stage.experiments.of("5eac")
    async with ours.begun({}) as keeping:
        message = "better\n\nWhy it is.\n\nCerto-Search: 5eac\n"
        await keeping.keep(
            StoredCandidate(number=1, parent=None, files=files or {"shop.py": BETTER.encode()}, message=message)
        )
    return ours


async def checked_out(stage: Stage, branch: str = BRANCH) -> CheckedOut:
    return await (await stage.experiments.of("5eac")).check_out(1, branch)


def status(stage: Stage) -> list[str]:
    return git(stage.root, "status", "--porcelain").splitlines()


def text(stage: Stage, path: str = "shop.py") -> str:
    return (stage.root / path).read_text()


async def refused(stage: Stage, why: str) -> None:
    """Nothing is changed when a checkout is refused, for this reason."""
    before = everything_in(stage.root)
    with pytest.raises(CheckoutRefused, match=why):
        await checked_out(stage)
    assert but_objects(everything_in(stage.root)) == but_objects(before)


def but_objects(found: dict[str, tuple[int, int, str]]) -> dict[str, tuple[int, int, str]]:
    """Every file but git's objects, of which there may be more that nothing leads to."""
    return {path: facts for path, facts in found.items() if facts[2] and not path.startswith(".git/objects")}


async def test_a_clean_tree_switches_to_the_branch(stage: Stage) -> None:
    await kept(stage)
    done = await checked_out(stage)
    assert done == CheckedOut(branch=BRANCH, paths=("shop.py",), mixed=(), back="git switch main")
    assert git(stage.root, "branch", "--show-current") == BRANCH
    assert (text(stage), status(stage)) == (BETTER, [])
    assert git(stage.root, "log", "--format=%an: %B") == (
        "Ada: better\n\nWhy it is.\n\nCerto-Search: 5eac\n\nAda: as it is\n"
    )
    git(stage.root, "switch", "-q", "main")
    assert text(stage) == BASE
    assert git(stage.root, "fsck", "--strict", "--no-dangling") == ""


async def test_changes_of_other_files_are_untouched(stage: Stage) -> None:
    stage.write(other_py="unstaged\n", staged_py="staged\n", new_py="untracked\n")
    git(stage.root, "add", "staged.py")
    await kept(stage)
    stage.write(later_py="untracked since\n")
    before = status(stage)
    await checked_out(stage)
    assert status(stage) == before == [" M other.py", "A  staged.py", "?? later.py", "?? new.py"]
    assert git(stage.root, "show", "--stat", "--format=", "HEAD").splitlines()[-1].startswith(" 1 file changed")


async def test_unstaged_changes_of_the_file_stay_uncommitted(stage: Stage) -> None:
    """They were in the base when the search began."""
    stage.write(shop_py=OWN)
    await kept(stage, {"shop.py": BOTH.encode()})
    done = await checked_out(stage)
    assert (text(stage), status(stage), done.mixed) == (BOTH, [" M shop.py"], ())
    assert git(stage.root, "show", "HEAD:shop.py") + "\n" == BETTER


async def test_staged_changes_of_the_file_stay_staged(stage: Stage) -> None:
    stage.write(shop_py=OWN)
    git(stage.root, "add", "shop.py")
    await kept(stage, {"shop.py": BOTH.encode()})
    await checked_out(stage)
    assert (text(stage), status(stage)) == (BOTH, ["M  shop.py"])
    assert git(stage.root, "show", "HEAD:shop.py") + "\n" == BETTER
    assert git(stage.root, "show", ":shop.py") + "\n" == BOTH


async def test_inseparable_changes_are_committed_and_reported(stage: Stage) -> None:
    stage.write(shop_py=CLASH)
    await kept(stage)
    done = await checked_out(stage)
    assert (text(stage), status(stage), done.mixed) == (BETTER, [], ("shop.py",))


async def test_a_file_that_moved_on_is_refused(stage: Stage) -> None:
    await kept(stage)
    stage.write(shop_py=OWN)
    await refused(stage, "shop.py is not as when the search began")


async def test_a_file_staged_differently_is_refused(stage: Stage) -> None:
    stage.write(shop_py=OWN)
    git(stage.root, "add", "shop.py")
    stage.write(shop_py=BASE)
    await kept(stage)
    await refused(stage, "shop.py is staged in another version")


async def test_what_was_committed_since_is_built_upon(stage: Stage) -> None:
    stage.write(shop_py=OWN)
    await kept(stage, {"shop.py": BOTH.encode()})
    stage.write(other_py="committed since\n")
    commit(stage.root, "own")
    await checked_out(stage)
    assert git(stage.root, "log", "--format=%s").splitlines() == ["better", "own", "as it is"]
    assert (text(stage), text(stage, "other.py"), status(stage)) == (BOTH, "committed since\n", [])


async def test_a_detached_head_is_built_upon(stage: Stage) -> None:
    git(stage.root, "checkout", "-q", "--detach")
    head = git(stage.root, "rev-parse", "HEAD")
    await kept(stage)
    done = await checked_out(stage)
    assert done.back == f"git switch --detach {head[:12]}"
    assert git(stage.root, "rev-parse", "HEAD^") == head


async def test_a_checkout_affects_only_its_worktree(stage: Stage, tmp_path: Path) -> None:
    git(stage.root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Stage(tmp_path / "side", tmp_path / "experiments" / "side")
    await kept(side)
    done = await checked_out(side)
    assert (text(side), status(side), done.back) == (BETTER, [], "git switch side")
    assert (text(stage), status(stage), git(stage.root, "branch", "--show-current")) == (BASE, [], "main")


async def test_a_submodule_stays_where_it_is(stage: Stage, tmp_path: Path) -> None:
    begin(tmp_path / "library")
    commit(tmp_path / "library")
    git(stage.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    commit(stage.root)
    commit(stage.root / "lib", "moved on")
    await kept(stage)
    await checked_out(stage)
    assert status(stage) == [" M lib"]
    assert git(stage.root, "diff", "--name-only", "main", "HEAD") == "shop.py"


async def test_a_clone_with_borrowed_objects_works(stage: Stage, tmp_path: Path) -> None:
    """Without an e-mail address the commit is certo's."""
    git(tmp_path, "clone", "-q", "--shared", str(stage.root), "borrower")
    git(tmp_path / "borrower", "config", "user.name", "Ada")
    borrower = Stage(tmp_path / "borrower", tmp_path / "experiments" / "borrower")
    await kept(borrower)
    await checked_out(borrower)
    assert (text(borrower), status(borrower)) == (BETTER, [])
    # An e-mail address is missing, so that nobody can be named but certo.
    assert git(borrower.root, "log", "-1", "--format=%an <%ae>") == "certo <certo@localhost>"


async def test_the_checkout_may_be_the_first_commit(tmp_path: Path) -> None:
    begin(tmp_path / "shop")
    stage = Stage(tmp_path / "shop", tmp_path / "experiments" / "shop")
    stage.write(shop_py=BASE, other_py="other\n")
    git(stage.root, "add", "other.py")
    await kept(stage)
    done = await checked_out(stage)
    assert (done.mixed, done.back) == (("shop.py",), "")
    assert git(stage.root, "log", "--format=%s", "--name-only").split() == ["better", "shop.py"]
    assert (text(stage), status(stage)) == (BETTER, ["A  other.py"])


@pytest.mark.parametrize("mark", ["MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge"])
async def test_an_operation_in_progress_refuses_the_checkout(stage: Stage, mark: str) -> None:
    """A merge, a cherry-pick or a rebase is under way."""
    await kept(stage)
    (stage.root / ".git" / mark).write_text(git(stage.root, "rev-parse", "HEAD"))
    await refused(stage, "in the midst of a")


async def test_conflicts_are_refused(stage: Stage) -> None:
    git(stage.root, "switch", "-q", "-c", "theirs")
    stage.write(other_py="theirs\n")
    commit(stage.root)
    git(stage.root, "switch", "-q", "main")
    stage.write(other_py="ours\n")
    commit(stage.root)
    await kept(stage)
    git(stage.root, "merge", "-q", "theirs", status=1)
    (stage.root / ".git" / "MERGE_HEAD").unlink()
    await refused(stage, "conflicts that are not resolved")


async def test_a_branch_that_is_there_is_refused(stage: Stage) -> None:
    await kept(stage)
    git(stage.root, "branch", BRANCH)
    await refused(stage, "there is a branch certo/5eac/1 already")
    assert (await checked_out(stage, "mine")).branch == "mine"
    assert git(stage.root, "branch", "--show-current") == "mine"


async def test_a_branch_named_like_the_folder_blocks(stage: Stage) -> None:
    """A branch `certo` leaves no room for `certo/…`."""
    await kept(stage)
    git(stage.root, "branch", "certo")
    await refused(stage, "cannot lock ref|exists")


async def test_invalid_branch_names_are_refused(stage: Stage) -> None:
    await kept(stage)
    with pytest.raises(CheckoutRefused, match=r"no branch of the name 'a\.\.b'"):
        await checked_out(stage, "a..b")


async def test_what_is_committed_already_is_refused(stage: Stage) -> None:
    await kept(stage)
    stage.write(shop_py=BETTER)
    commit(stage.root)
    await refused(stage, "has these changes already")


async def test_a_locked_index_refuses_and_undoes_everything(stage: Stage) -> None:
    """Another git is at work."""
    await kept(stage)
    (stage.root / ".git" / "index.lock").write_text("")
    await refused(stage, "index.lock")
    assert git(stage.root, "branch", "--list", "certo/*") == ""


async def test_an_immovable_head_refuses_and_undoes_everything(stage: Stage) -> None:
    await kept(stage)
    (stage.root / ".git" / "HEAD.lock").write_text("")
    with pytest.raises(CheckoutRefused, match="HEAD"):
        await checked_out(stage)
    assert (text(stage), status(stage)) == (BASE, [])
    assert git(stage.root, "branch", "--list", "certo/*") == ""


async def test_a_bare_repository_is_refused(stage: Stage) -> None:
    await kept(stage)
    git(stage.root, "config", "core.bare", "true")
    before = everything_in(stage.root)
    with pytest.raises(ExperimentsUnavailable, match="is in no work tree"):
        await checked_out(stage)
    assert everything_in(stage.root) == before


async def test_no_hook_of_the_users_runs(stage: Stage) -> None:
    await kept(stage)
    for hook in ("post-checkout", "post-commit", "reference-transaction", "pre-commit", "post-index-change"):
        script = stage.root / ".git" / "hooks" / hook
        script.write_text(f"#!/bin/sh\necho {hook} >> '{stage.root.parent}/ran'\n")
        script.chmod(0o755)
    await checked_out(stage)
    assert not (stage.root.parent / "ran").exists()


VERSIONS = st.sampled_from([None, BASE, OWN, BETTER, BOTH, CLASH, "", "x\r\n"])


@settings(max_examples=12)
@given(head=VERSIONS, staged=VERSIONS, base=VERSIONS, wanted=VERSIONS, now=VERSIONS, other=VERSIONS)
def test_no_version_of_a_file_is_lost(
    head: str | None, staged: str | None, base: str | None, wanted: str | None, now: str | None, other: str | None
) -> None:
    """Every text that was committed, staged or on the disk is as it was, or can still be had."""

    async def play(stage: Stage) -> None:
        lay(stage, "shop.py", head)
        lay(stage, "other.py", other)
        commit(stage.root)
        lay(stage, "shop.py", staged)
        git(stage.root, "add", "-A")
        lay(stage, "shop.py", base)
        await kept(stage, {"shop.py": None if wanted is None else wanted.encode()})
        lay(stage, "shop.py", now)
        before = seen(stage)
        try:
            done = await checked_out(stage)
        except CheckoutRefused:
            assert seen(stage) == before
            return
        assert on_disk(stage, "shop.py") == (None if wanted is None else wanted.encode())
        assert now in (base, wanted)
        assert on_disk(stage, "other.py") == (None if other is None else other.encode())
        assert git(stage.root, "rev-parse", "HEAD^") == before["HEAD"]
        if staged == head and not done.mixed:
            assert git(stage.root, "diff", "--cached", "--name-only") == ""
        if now != wanted:
            async with (await stage.experiments.of("5eac")).materialized(None) as tree:
                assert on_disk(Stage(tree, tree), "shop.py") == (None if now is None else now.encode())

    with tempfile.TemporaryDirectory() as folder:
        begin(Path(folder, "shop"))
        anyio.run(play, Stage(Path(folder, "shop"), Path(folder, "experiments", "shop")))


def lay(stage: Stage, path: str, content: str | None) -> None:
    if content is None:
        (stage.root / path).unlink(missing_ok=True)
    else:
        stage.put(path, content.encode())


def on_disk(stage: Stage, path: str) -> bytes | None:
    file = stage.root / path
    return file.read_bytes() if file.exists() else None


def seen(stage: Stage) -> dict[str, object]:
    """All that a user sees of the repository."""
    return {
        "HEAD": git(stage.root, "rev-parse", "HEAD"),
        "branch": git(stage.root, "branch", "--list"),
        "index": git(stage.root, "ls-files", "--stage"),
        "files": {path.name: path.read_bytes() for path in stage.root.iterdir() if path.is_file()},
    }
