"""A directory arrives as it was, under the digest of its content, and nothing else arrives."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import zlib
from pathlib import Path

import pytest

from certo.sandbox.cluster import bundle as parcels
from certo.sandbox.cluster.bundle import Bundle, BundleCache, unpack
from certo.sandbox.cluster.worker_plugin import BundleStore
from certo.vocabulary.errors import SandboxUnavailable
from support.projects.projects import write_project


def contents(root: Path) -> dict[str, bytes]:
    """Return every file below a directory."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


async def test_it_arrives_as_it_was(tmp_path: Path) -> None:
    files = {"a.py": "a = 1\n", "pack/__init__.py": "", "pack/über.txt": "é\r\n", ".hidden/x": "y"}
    root = write_project(tmp_path / "root", files)
    (root / "run.sh").write_bytes(b"#!/bin/sh\n")
    (root / "run.sh").chmod(0o744)
    (root / "linked.py").symlink_to("a.py")
    sent = await BundleCache().of(root)
    unpack(sent, tmp_path / "there")
    assert contents(tmp_path / "there") == contents(root)
    assert os.access(tmp_path / "there" / "run.sh", os.X_OK)
    assert not os.access(tmp_path / "there" / "a.py", os.X_OK)


async def test_environments_caches_and_outside_files_stay(tmp_path: Path) -> None:
    """They are not packed; links that lead outside and pipes are not either."""
    (tmp_path / "secret").write_text("key")
    root = write_project(
        tmp_path / "root",
        {
            "a.py": "",
            ".git/config": "",
            "node_modules/x.js": "",
            "pack/__pycache__/a.pyc": "",
            "env/pyvenv.cfg": "",
            "env/lib/big.py": "",
            "cache/CACHEDIR.TAG": "",
            "cache/x": "",
        },
    )
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "dangling").symlink_to("nothing")
    os.mkfifo(root / "pipe")
    unpack(await BundleCache().of(root), tmp_path / "there")
    assert contents(tmp_path / "there") == {"a.py": b""}


async def test_it_is_known_by_its_content(tmp_path: Path) -> None:
    root = write_project(tmp_path / "root", {"a.py": "a = 1\n"})
    kept = BundleCache()
    first = await kept.of(root)
    assert await kept.of(root) is first
    (root / "a.py").write_text("a = 2\n")
    second = await kept.of(root)
    assert second.digest != first.digest
    (root / "a.py").write_text("a = 1\n")
    assert await kept.of(root) == first
    assert await BundleCache().of(write_project(tmp_path / "other", {"a.py": "a = 1\n"})) == first


async def test_too_large_directories_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the file at which the limit was passed."""
    monkeypatch.setattr(parcels, "MAX_MEBIBYTES", 1)
    root = tmp_path / "root"
    root.mkdir()
    (root / "large").write_bytes(bytes(2 << 20))
    with pytest.raises(SandboxUnavailable, match=r"more than 1 MiB.*at large.*executor\.cluster"):
        await BundleCache().of(root)


def made_by_hand(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> Bundle:
    """Return a parcel whose digest is right and whose only member is one we would never pack."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        archive.addfile(member)
    squeezed = zlib.compress(packed.getvalue())
    return Bundle(digest=hashlib.sha256(squeezed).hexdigest(), archive=squeezed)


@pytest.mark.parametrize(
    "sent",
    [
        made_by_hand("../outside"),
        made_by_hand("/outside"),
        made_by_hand("a/../../outside"),
        made_by_hand("link", tarfile.SYMTYPE, "/etc/passwd"),
        made_by_hand("link", tarfile.LNKTYPE, "../outside"),
        made_by_hand("pipe", tarfile.FIFOTYPE),
        Bundle(digest="0" * 64, archive=made_by_hand("a").archive),
        Bundle(digest=hashlib.sha256(b"no archive").hexdigest(), archive=b"no archive"),
    ],
)
def test_what_is_never_packed_is_not_unpacked(sent: Bundle, tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="arrived"):
        unpack(sent, tmp_path / "place" / "there")
    assert list((tmp_path / "place").glob("*") if (tmp_path / "place").exists() else ()) == []
    assert not (tmp_path / "outside").exists()


async def test_the_store_keeps_bundles_in_use(tmp_path: Path) -> None:
    """Besides those in use it keeps the last ones used."""
    kept = BundleCache()
    shelf = BundleStore(tmp_path / "shelf", 2)
    sent = [await kept.of(write_project(tmp_path / str(number), {"n": str(number)})) for number in range(4)]
    with shelf.holding(sent[0], "till") as first:
        for parcel in sent[1:]:
            with shelf.holding(parcel, "till") as place, shelf.holding(parcel, "till") as again:
                assert place == again
                assert place.name == "till"
        assert contents(first) == {"n": b"0"}
        assert contents(place) == {"n": b"3"}
        assert len(list((tmp_path / "shelf").glob("*/till"))) == 2
    with shelf.holding(sent[1], "till") as place:
        assert contents(place) == {"n": b"1"}
