"""Claims about a verdict: signed when it is reached, and checked against the files there are later."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from certo import __version__
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.current_function import Standing
from certo.storage.signed_verdicts import SignedVerdicts
from certo.vocabulary.problem import Baseline
from certo.vocabulary.signed_verdict import CheckedClaim, VerdictRecord
from certo.vocabulary.verdict import Report

_DOCTEST = "doctest:"


def sign_verdict(
    resolved: ResolvedRequest,
    report: Report,
    baseline: Baseline,
    environ: Mapping[str, str],
    *,
    texts: Mapping[str, str] | None = None,
    since: float,
) -> str:
    """Return the digest of a verdict on `texts`, by default the text of the request.

    It is empty if nothing of a search may be kept, if nothing can be written, or if a test file was written after
    `since`, in seconds of the epoch: nobody knows then which text of it was run.
    """
    if not resolved.settings.journal.enabled:
        return ""
    files = tuple(_test_files(resolved, baseline))
    if any(_modified(resolved.root / path) > since for path in files):
        return ""
    code = texts if texts is not None else {resolved.path: resolved.request.text, **resolved.unsaved}
    record = VerdictRecord(
        root=os.fspath(resolved.root),
        path=resolved.path,
        qualname=resolved.target.qualname,
        outcome=report.headline,
        verified=report.verified,
        rulings={verdict.verifier: verdict.ruling.value for verdict in report.verdicts},
        texts={path: _hash(text.encode("utf-8", "surrogatepass")) for path, text in code.items()},
        tests={path: _hash_of(resolved.root / path) for path in files},
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
    )
    return SignedVerdicts(environ).sign(record)


def with_digest(standing: Standing, environ: Mapping[str, str]) -> Standing:
    """Return a verdict just reached on a function as it is, with its digest."""
    since = time.time() - standing.seconds
    digest = sign_verdict(standing.resolved, standing.report, standing.baseline, environ, since=since)
    return replace(standing, digest=digest)


def check_claim(digest: str, environ: Mapping[str, str]) -> CheckedClaim:
    """Check a digest, and whether the files it is about are still the same."""
    record = SignedVerdicts(environ).find(digest)
    if record is None:
        return CheckedClaim(digest=digest, record=None)
    root = Path(record.root)
    return CheckedClaim(
        digest=digest,
        record=record,
        changed_texts=tuple(path for path, known in record.texts.items() if _hash_of(root / path) != known),
        changed_tests=tuple(path for path, known in record.tests.items() if _hash_of(root / path) != known),
    )


def _test_files(resolved: ResolvedRequest, baseline: Baseline) -> Iterator[str]:
    """Yield the files of the tests that count, and the conftest.py files that apply to them, each once."""
    named = (test.id.partition("::")[0] for test in baseline.tests if not test.is_doctest)
    texts = (_doctest_file(test.id) for test in baseline.tests if test.id.startswith(_DOCTEST))
    seen: set[str] = set()
    for path in _with_conftests([*named, *filter(None, texts)]):
        if path not in seen and path != resolved.path and (resolved.root / path).is_file():
            seen.add(path)
            yield path


def _doctest_file(test_id: str) -> str:
    """Return the file of an example outside the target's docstring, "" for one in it."""
    place = test_id.removeprefix(_DOCTEST).rpartition(":")[0]
    return place if "/" in place or place.endswith((".py", ".md", ".rst", ".txt")) else ""


def _with_conftests(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        for folder in Path(path).parents:
            yield (folder / "conftest.py").as_posix()
        yield path


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _hash_of(file: Path) -> str:
    """Return the hash of a file's text, "" if it cannot be read."""
    try:
        return _hash(file.read_bytes())
    except OSError:
        return ""


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
