"""Kernel features and their description."""

from __future__ import annotations

import pytest

from certo.sandbox.confinement.kernel_features import (
    FULL_WALLS,
    NO_WALLS,
    KernelFeatures,
    detect_kernel_features,
    in_words,
)
from certo.sandbox.executor import Policy

OLD = KernelFeatures(landlock=1, seccomp=True)


async def test_what_is_there_is_found_by_trying() -> None:
    found = await detect_kernel_features()
    assert found.seccomp
    assert found.landlock >= 1


def test_each_alone_is_not_whole() -> None:
    assert FULL_WALLS.whole
    assert not any(
        walls.whole
        for walls in (NO_WALLS, KernelFeatures(landlock=7, seccomp=False), KernelFeatures(landlock=0, seccomp=True))
    )


@pytest.mark.parametrize(
    ("place", "walls", "policy", "network", "words"),
    [
        ("", FULL_WALLS, Policy.STRICT, False, "Landlock, seccomp: no network, no new processes, project read-only"),
        ("", OLD, Policy.STRICT, False, "Landlock, seccomp: no network, no new processes, project read-only"),
        (
            "",
            FULL_WALLS,
            Policy.SUBPROCESS,
            False,
            "Landlock, seccomp: no network, project read-only; within reach: modes and times of your files",
        ),
        (
            "",
            OLD,
            Policy.FORKING,
            False,
            "Landlock, seccomp: no network, project read-only; within reach: signals to your processes",
        ),
        ("bubblewrap", OLD, Policy.SUBPROCESS, True, "bubblewrap, Landlock, seccomp: no network, project read-only"),
        (
            "bubblewrap",
            KernelFeatures(landlock=0, seccomp=True),
            Policy.LOOPBACK,
            True,
            "bubblewrap, seccomp: no network but its own, project read-only",
        ),
    ],
)
def test_confinement_is_described_in_words(
    place: str, walls: KernelFeatures, policy: Policy, network: bool, words: str
) -> None:
    assert in_words(place, walls, policy, network=network) == words
