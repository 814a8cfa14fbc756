"""The user's own checks, run in a real sandbox: sync or async, bool or that and a message, in order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.verification.options import ToolOptions
from certo.verification.tools.custom_checks import CustomVerifier
from certo.verification.tools.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Baseline
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.projects import Project, write_project

pytestmark = pytest.mark.acceptance(14)

SHOP = "def total(prices):\n    return len(prices)\n"
CHECKS = """\
    import asyncio
    import os
    import pathlib
    import socket
    import shop

    def no_len(code):
        return "len(" not in code

    async def told(code):
        await asyncio.sleep(0)
        return "sum(" in code, "use sum"

    class House:
        @staticmethod
        def base(code):
            # The candidate is a text here, and the project is as it stands.
            return shop.total([1, 2]) == 2 and code.startswith("def total")

    def broken(code):
        raise KeyError("no idea")

    def vague(code):
        return None

    def endless(code):
        while True:
            pass

    def leaving(code):
        os._exit(0)

    def reaching(code):
        pathlib.Path("planted").write_text("x")
        return True

    def calling(code):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
        return True
    """


class Shop:
    """A project with checks of its own."""

    def __init__(self, root: Path) -> None:
        self.project = Project(write_project(root, {"shop.py": SHOP, "checks.py": CHECKS}), "shop.py", "total")
        self.problem = self.project.problem(Baseline())

    def candidate(self, code: str) -> Candidate:
        return self.project.candidate("len(prices)", code)

    def custom(self, *checks: str, seconds: float = 5.0) -> CustomVerifier:
        toolbox = Toolbox(
            executor=self.project.executor,
            interpreter=self.project.interpreter,
            options=ToolOptions(custom=tuple(f"checks:{check}" for check in checks), seconds=seconds),
        )
        return toolbox.custom()

    async def said(self, *checks: str, code: str = "sum(prices)", seconds: float = 5.0) -> Verdict:
        return await self.custom(*checks, seconds=seconds).judge(self.candidate(code), self.problem)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


async def test_the_first_failing_check_is_quoted(shop: Shop) -> None:
    """All have to pass."""
    good = await shop.said("no_len", "told", "House.base")
    assert (good.verifier, good.ruling, good.findings) == ("custom", Ruling.PASSED, ())
    bad = await shop.said("no_len", "told", "broken", code="max(prices)")
    assert (bad.ruling, [finding.message for finding in bad.findings]) == (Ruling.FAILED, ["checks:told: use sum"])
    silent = await shop.said("no_len", code="len(prices) + 0")
    assert [finding.message for finding in silent.findings] == ["checks:no_len refuses the code"]


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("broken", "checks:broken could not judge: KeyError: 'no idea'"),
        ("vague", "checks:vague could not judge: TypeError: it returned None; a check returns True or False"),
        ("leaving", "the checks of verify.custom did not all speak: their run ended by itself"),
        ("calling", "checks:calling could not judge: PermissionError"),
    ],
)
async def test_broken_checks_are_undecided(shop: Shop, check: str, message: str) -> None:
    verdict = await shop.said("no_len", check)
    assert verdict.ruling is Ruling.UNDECIDED
    assert verdict.findings[0].message.startswith(message)


async def test_a_check_that_never_ends_is_ended(shop: Shop) -> None:
    verdict = await shop.said("endless", seconds=-4.5)
    assert verdict.ruling is Ruling.UNDECIDED
    assert "took longer than verify.seconds" in verdict.findings[0].message


async def test_a_check_cannot_change_the_project(shop: Shop) -> None:
    await shop.said("reaching")
    assert not (shop.project.root / "planted").exists()


async def test_missing_checks_are_bad_settings(shop: Shop) -> None:
    with pytest.raises(BadSetting, match=r"verify\.custom: checks:gone cannot be had: AttributeError.*module:function"):
        await shop.custom("no_len", "gone").find(shop.problem)
    with pytest.raises(BadSetting, match="No module named 'absent'"):
        await replace(shop.custom(), checks=("absent:check",)).judge(shop.candidate("0"), shop.problem)
    await shop.custom("broken").find(shop.problem)
    with pytest.raises(ValueError, match="'checks' is not of the form \"module:function\""):
        ToolOptions(custom=("checks",))


async def test_what_is_not_saved_yet_counts(shop: Shop) -> None:
    shop.project.unsaved = {"checks.py": "def no_len(code):\n    return False, 'unsaved'\n"}
    shop.problem = shop.project.problem(Baseline())
    verdict = await shop.said("no_len")
    assert [finding.message for finding in verdict.findings] == ["checks:no_len: unsaved"]
