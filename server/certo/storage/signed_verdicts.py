"""Signed verdicts: what each vouches for, kept so that its digest can be checked later.

A digest is a keyed hash of the record it stands for. The key is the user's own, so a digest cannot be made up by who
does not read it, and a record that was changed no longer fits its digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from certo.storage.location import journal_folder
from certo.vocabulary.signed_verdict import VerdictRecord

DIGEST = re.compile(r"cv1-[0-9a-f]{40}")
"""The form of a digest: its version, and 160 bits."""

MAX_RECORDS = 2000
"""Maximum number of records that are kept; the oldest go first, a tenth at a time."""

_KEY_BYTES = 32


class SignedVerdicts:
    """The signed verdicts of a user, beside the journals."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.folder = journal_folder(environ).parent / "verdicts"

    def sign(self, record: VerdictRecord) -> str:
        """Keep a record and return its digest; it is empty if nothing can be written."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            body = _canonical(asdict(record))
            digest = self._digest(self._key(), body)
            self._write(self.folder / f"{digest}.json", body)
            self._prune()
        except OSError:
            return ""
        return digest

    def find(self, digest: str) -> VerdictRecord | None:
        """Return the record of a digest; None if this user's certo did not sign it, or does not have it any more."""
        if DIGEST.fullmatch(digest) is None:
            return None
        try:
            body = (self.folder / f"{digest}.json").read_bytes()
            key = (self.folder / "key").read_bytes()
        except OSError:
            return None
        if len(key) != _KEY_BYTES or not hmac.compare_digest(self._digest(key, body), digest):
            return None
        return _record(json.loads(body))

    def _key(self) -> bytes:
        file = self.folder / "key"
        if not file.exists():
            new = self._temporary(secrets.token_bytes(_KEY_BYTES))
            try:
                # Unlike a rename, a link fails if another process was first: both have the same key then.
                with contextlib.suppress(FileExistsError):
                    os.link(new, file)
            finally:
                new.unlink()
        key = file.read_bytes()
        if len(key) != _KEY_BYTES:
            raise OSError(f"{file} is no key")
        return key

    @staticmethod
    def _digest(key: bytes, body: bytes) -> str:
        return f"cv1-{hmac.new(key, body, hashlib.sha256).hexdigest()[:40]}"

    def _write(self, file: Path, body: bytes) -> None:
        self._temporary(body).replace(file)

    def _temporary(self, body: bytes) -> Path:
        """Return a new file with this content that its owner alone can read."""
        number, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
        with open(number, "wb") as file:
            file.write(body)
        return Path(name)

    def _prune(self) -> None:
        kept = list(self.folder.glob("cv1-*.json"))
        if len(kept) <= MAX_RECORDS:
            return
        kept.sort(key=lambda file: file.stat().st_mtime)
        for file in kept[: len(kept) - MAX_RECORDS + MAX_RECORDS // 10]:
            file.unlink(missing_ok=True)


def _canonical(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, sort_keys=False, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _record(values: dict[str, Any]) -> VerdictRecord:
    return VerdictRecord(**{each.name: values[each.name] for each in fields(VerdictRecord)})
