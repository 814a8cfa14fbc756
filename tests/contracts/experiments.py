"""What every way of keeping experiments must do, on git or without."""

from __future__ import annotations

from collections.abc import Mapping

import anyio
import pytest

from certo.project.candidate_store.store import CandidateStore, StoredCandidate
from certo.vocabulary.errors import CandidateNotFound, CheckoutRefused, ExperimentsUnavailable
from support.projects.repositories import Stage

BRANCH = "certo/5eac/1"


def experiment(
    number: int, files: Mapping[str, bytes | None], parent: int | None = None, message: str = "try"
) -> StoredCandidate:
    return StoredCandidate(number=number, parent=parent, files=files, message=f"{message}\n")


async def kept(
    stage: Stage, *experiments: StoredCandidate, texts: Mapping[str, bytes | None] | None = None
) -> CandidateStore:
    """Keep experiments of one search, one after the other."""
    ours = await stage.experiments.of("5eac")
    async with ours.begun(texts or {}) as keeping:
        for each in experiments:
            await keeping.keep(each)
    return ours


class ExperimentsContract:
    """Checks for one way; a subclass offers a project with `shop.py` and `deep/till.py` as the fixture `stage`."""

    async def test_stored_candidates_are_known_elsewhere(self, stage: Stage) -> None:
        await kept(
            stage,
            experiment(1, {"shop.py": b"one\n"}, message="the first"),
            experiment(
                3, {"shop.py": b"three\n", "deep/till.py": b"till\n"}, parent=1, message="the third\n\nAnd why."
            ),
        )
        again = await stage.experiments.of("5eac")
        assert await again.numbers() == (1, 3)
        assert await again.message(3) == "the third\n\nAnd why.\n"
        assert await again.files(1) == {"shop.py": b"one\n"}
        assert await again.files(3) == {"shop.py": b"three\n", "deep/till.py": b"till\n"}

    async def test_files_equal_to_base_are_unchanged(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": (stage.root / "shop.py").read_bytes(), "new.py": b""}))
        assert await ours.files(1) == {"new.py": b""}

    @pytest.mark.usual_cases("a\\r\\nb\\n", "\\xe9 is no UTF-8\\n")
    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"no line break",
            b"a\r\nb\r\n",
            b"a\r\nb\n",
            b"\xef\xbb\xbfx = 1\n",
            b"\xe9 is no UTF-8\n",
            "é 🙂\n".encode(),
        ],
    )
    async def test_content_is_kept_byte_by_byte(self, stage: Stage, content: bytes) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": content}))
        assert await ours.files(1) == {"shop.py": content}
        async with ours.materialized(1) as tree:
            assert (tree / "shop.py").read_bytes() == content

    @pytest.mark.usual_cases(" x/-y/*.py", "two\\nlines.py")
    @pytest.mark.parametrize(
        "path", ["with space.py", "é 🙂.py", 'a "quoted" \\ name.py', "two\nlines.py", " x/-y/*.py"]
    )
    async def test_a_path_may_be_of_any_kind(self, stage: Stage, path: str) -> None:
        stage.put(path, b"before\n")
        ours = await kept(stage, experiment(1, {path: b"after\n"}))
        assert await ours.files(1) == {path: b"after\n"}
        done = await ours.check_out(1, BRANCH)
        assert done.paths == (path,)
        assert (stage.root / path).read_bytes() == b"after\n"

    async def test_files_are_made_and_removed(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"deep/till.py": None, "deep/new/file.py": b"new\n"}))
        assert await ours.files(1) == {"deep/till.py": None, "deep/new/file.py": b"new\n"}
        await ours.check_out(1, BRANCH)
        assert not (stage.root / "deep/till.py").exists()
        assert (stage.root / "deep/new/file.py").read_bytes() == b"new\n"

    async def test_the_base_has_what_is_not_saved(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"deep/till.py": b"till\n"}), texts={"shop.py": b"unsaved\n"})
        assert await ours.files(1) == {"deep/till.py": b"till\n"}
        async with ours.materialized(1) as tree:
            assert (tree / "shop.py").read_bytes() == b"unsaved\n"
            assert (tree / "deep/till.py").read_bytes() == b"till\n"
        async with ours.materialized(None) as tree:
            assert (tree / "deep/till.py").read_bytes() == (stage.root / "deep/till.py").read_bytes()

    async def test_unused_work_trees_are_removed(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": b"one\n"}))
        async with ours.materialized(1) as tree:
            (tree / "left behind").mkdir()
        assert not tree.exists()
        assert await ours.files(1) == {"shop.py": b"one\n"}

    async def test_resumed_searches_keep_their_base(self, stage: Stage) -> None:
        await kept(stage, experiment(1, {"shop.py": b"one\n"}), texts={"shop.py": b"unsaved\n"})
        stage.put("deep/till.py", b"changed since\n")
        ours = await kept(stage, experiment(2, {"shop.py": b"two\n"}, parent=1), texts={"shop.py": b"other\n"})
        assert await ours.numbers() == (1, 2)
        async with ours.materialized(None) as tree:
            assert (tree / "shop.py").read_bytes() == b"unsaved\n"

    async def test_a_number_is_kept_once(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": b"one\n"}), experiment(1, {"shop.py": b"other\n"}))
        assert await ours.files(1) == {"shop.py": b"one\n"}

    async def test_many_are_kept_at_once(self, stage: Stage) -> None:
        ours = await stage.experiments.of("5eac")
        async with ours.begun({}) as keeping, anyio.create_task_group() as group:
            for number in range(1, 13):
                group.start_soon(keeping.keep, experiment(number, {"shop.py": b"%d\n" % number}))
        assert await ours.numbers() == tuple(range(1, 13))
        assert [await ours.files(number) for number in (1, 12)] == [{"shop.py": b"1\n"}, {"shop.py": b"12\n"}]

    async def test_searches_do_not_meet(self, stage: Stage) -> None:
        await kept(stage, experiment(1, {"shop.py": b"one\n"}))
        other = await stage.experiments.of("beef")
        async with other.begun({}) as keeping:
            await keeping.keep(experiment(1, {"shop.py": b"other\n"}))
        assert stage.experiments.searches() == {"5eac", "beef"}
        await stage.experiments.forget("beef")
        assert await (await stage.experiments.of("5eac")).files(1) == {"shop.py": b"one\n"}

    async def test_what_is_not_kept_is_not_found(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": b"one\n"}))
        for ask in (ours.message, ours.files):
            with pytest.raises(CandidateNotFound, match="no experiment #7; it has #1"):
                await ask(7)
        with pytest.raises(CandidateNotFound):
            await ours.check_out(7, BRANCH)

    async def test_a_forgotten_search_leaves_nothing(self, stage: Stage) -> None:
        await kept(stage, experiment(1, {"shop.py": b"one\n"}))
        await stage.experiments.forget("5eac")
        assert not stage.state.exists()
        assert not stage.experiments.searches()
        assert await (await stage.experiments.of("5eac")).numbers() == ()

    async def test_nothing_is_forgotten_that_is_not_there(self, stage: Stage) -> None:
        await stage.experiments.forget("5eac")

    async def test_a_link_within_the_project_is_followed(self, stage: Stage) -> None:
        (stage.root / "link.py").symlink_to("deep/till.py")
        ours = await kept(stage, experiment(1, {"link.py": b"through the link\n"}))
        async with ours.materialized(1) as tree:
            assert (tree / "link.py").read_bytes() == b"through the link\n"
        await ours.check_out(1, BRANCH)
        assert (stage.root / "link.py").is_symlink()
        assert (stage.root / "deep/till.py").read_bytes() == b"through the link\n"

    async def test_paths_out_of_project_are_refused(self, stage: Stage) -> None:
        outside = stage.state.parent.parent / "outside.py"
        outside.write_bytes(b"outside\n")
        (stage.root / "link.py").symlink_to(outside)
        for path in ("link.py", "../" * len(stage.root.parts) + str(outside)[1:]):
            with pytest.raises(ExperimentsUnavailable, match="outside of"):
                await kept(stage, experiment(1, {path: b"mine\n"}))
        assert outside.read_bytes() == b"outside\n"

    @pytest.mark.parametrize("path", [".git/hooks/post-commit", ".GIT/config", "deep/.git/config"])
    async def test_what_is_gits_own_is_refused(self, stage: Stage, path: str) -> None:
        with pytest.raises(ExperimentsUnavailable, match="own"):
            await kept(stage, experiment(1, {path: b"mine\n"}))

    async def test_folders_that_became_links_are_refused(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"deep/till.py": b"till\n"}))
        away = stage.state.parent.parent / "away"
        (stage.root / "deep").rename(away)
        (stage.root / "deep").symlink_to(away)
        before = (away / "till.py").read_bytes()
        with pytest.raises((CheckoutRefused, ExperimentsUnavailable), match=r"deep/till\.py"):
            await ours.check_out(1, BRANCH)
        assert (away / "till.py").read_bytes() == before

    async def test_unwritable_folders_are_reported(self, stage: Stage) -> None:
        stage.state.parent.mkdir(parents=True, exist_ok=True)
        stage.state.write_text("a file where the folder would be")
        with pytest.raises(ExperimentsUnavailable, match="cannot be written"):
            await kept(stage, experiment(1, {"shop.py": b"one\n"}))

    async def test_damaged_files_are_set_aside(self, stage: Stage) -> None:
        await kept(stage, experiment(1, {"shop.py": b"one\n"}))
        [place] = stage.state.iterdir()
        for file in [file for file in place.rglob("*") if file.is_file()]:
            file.chmod(0o600)
            file.write_bytes(b"\0 damaged")
        ours = await kept(stage, experiment(1, {"shop.py": b"again\n"}))
        assert await ours.files(1) == {"shop.py": b"again\n"}
        [sentence] = stage.said
        assert "the experiments of search 5eac cannot be used" in sentence
        [aside] = [each for each in stage.state.iterdir() if "set-aside" in each.name]
        assert str(aside) in sentence
        await stage.experiments.forget("5eac")
        assert not stage.state.exists()

    async def test_files_changed_since_are_left_alone(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": b"one\n", "deep/till.py": b"till\n"}))
        stage.put("deep/till.py", b"mine\n")
        before = (stage.root / "shop.py").read_bytes()
        with pytest.raises(CheckoutRefused, match=r"deep/till\.py is not as when the search began") as refused:
            await ours.check_out(1, BRANCH)
        assert "shop.py" not in str(refused.value)
        assert (stage.root / "shop.py").read_bytes() == before
        assert (stage.root / "deep/till.py").read_bytes() == b"mine\n"

    async def test_untracked_files_are_left_alone(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"new.py": b"new\n", "dir.py/x.py": b"x\n"}))
        stage.put("new.py", b"mine\n")
        stage.put("dir.py", b"a file\n")
        with pytest.raises(CheckoutRefused, match=r"new.py"):
            await ours.check_out(1, BRANCH)
        assert (stage.root / "new.py").read_bytes() == b"mine\n"

    async def test_a_read_only_file_is_left_alone(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"deep/till.py": b"till\n", "shop.py": b"one\n"}))
        (stage.root / "shop.py").chmod(0o444)
        before = (stage.root / "shop.py").read_bytes()
        with pytest.raises(CheckoutRefused, match=r"shop\.py is read-only"):
            await ours.check_out(1, BRANCH)
        assert (stage.root / "shop.py").read_bytes() == before
        assert (stage.root / "deep/till.py").read_bytes() != b"till\n"

    async def test_present_files_are_not_rewritten(self, stage: Stage) -> None:
        ours = await kept(stage, experiment(1, {"shop.py": b"one\n", "deep/till.py": b"till\n"}))
        stage.put("shop.py", b"one\n")
        done = await ours.check_out(1, BRANCH)
        assert done.paths == ("deep/till.py",)

    async def test_files_keep_their_executable_bit(self, stage: Stage) -> None:
        (stage.root / "shop.py").chmod(0o755)
        ours = await kept(stage, experiment(1, {"shop.py": b"one\n"}))
        await ours.check_out(1, BRANCH)
        assert (stage.root / "shop.py").stat().st_mode & 0o777 == 0o755
        assert (stage.root / "shop.py").read_bytes() == b"one\n"
