"""Cache of baselines: tests whose project is exactly as it was have the results they had."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Protocol

from certo.sandbox.executor import Policy
from certo.verification.dynamic.baseline import BaselineRequest, take_baseline
from certo.verification.dynamic.harness import Harness
from certo.vocabulary.problem import Baseline, BaselineRun


class BaselineCache(Protocol):
    """Store of baselines that outlives a process, by keys of everything they depend on."""

    async def circumstances(self, policy: Policy, /) -> Mapping[str, object] | None:
        """Return everything a run under `policy` depends on besides its problem, as JSON; None if that is unknown."""
        ...

    def when_known(self, policy: Policy, then: Callable[[Mapping[str, object]], None], /) -> None:
        """Call `then` with the circumstances as soon as they are known, which may be now; never if they are unknown."""
        ...

    def knows(self, subject: str, /) -> bool:
        """True if a baseline of `subject` is stored, in whatever state of the project."""
        ...

    def recall_baseline(self, key: str, /) -> tuple[Baseline, BaselineRun] | None:
        """Return the baseline under a key; None if there is none, or it is unreadable."""
        ...

    def keep_baseline(self, key: str, subject: str, baseline: Baseline, run: BaselineRun, /) -> None:
        """Store a baseline."""
        ...


async def find_baseline(
    harness: Harness, request: BaselineRequest, cache: BaselineCache | None
) -> tuple[Baseline, BaselineRun]:
    """Return the cached baseline of exactly this state of the project, or take one and cache it.

    Tests that may start programs or connect depend on more than can be fingerprinted, and a test that ran out of time
    or changed its result may have another one next time: their baselines are taken anew.

    Raises:
        BadSetting, BrokenWorld: As `take_baseline`.
    """
    if cache is None:
        return await take_baseline(harness, request)
    subject = f"{harness.path}::{harness.target.qualname}"
    # The state of the project is found out while the tests run, and after them, unless there may be a baseline of it.
    circumstances = await cache.circumstances(Policy.STRICT) if cache.knows(subject) else None
    known = None if circumstances is None else cache.recall_baseline(_key(harness, request, circumstances))
    if known is not None:
        # A process that is prepared in this state would give the results that one like it has given. Flaky tests are
        # looked for anew.
        return known[0], replace(known[1], remembered=True, reruns=0)
    baseline, run = await take_baseline(harness, request)

    def keep(circumstances: Mapping[str, object]) -> None:
        cache.keep_baseline(_key(harness, request, circumstances), subject, baseline, run)

    if run.lasts:
        cache.when_known(Policy.STRICT, keep)
    return baseline, run


def _key(harness: Harness, request: BaselineRequest, circumstances: Mapping[str, object]) -> str:
    """Return the key of a baseline: SHA-256 of everything it may depend on, as canonical JSON."""
    facts = {
        "circumstances": circumstances,
        "root": str(harness.root),
        "path": harness.path,
        "text": harness.base,
        "unsaved": dict(harness.unsaved),
        "target": asdict(harness.target),
        "given": [asdict(example) for example in harness.user_examples],
        "files": harness.extra_files,
        "whole": harness.whole_suite,
        "hidden": harness.hidden,
        "required": request.required_test,
        "recheck": request.recheck_green,
    }
    written = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("ascii")).hexdigest()
