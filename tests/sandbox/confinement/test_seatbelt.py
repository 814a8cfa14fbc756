"""The profile for macOS, read by a reader of its own: its permissions, and that no path can say more than a path."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.sandbox.confinement.kernel_features import KernelFeatures, in_words, walls_order
from certo.sandbox.confinement.seatbelt import hiding, profile, quoted
from certo.sandbox.executor import Apart, Policy, Program, Work
from support.sandbox.stage import OURS

SEATBELT = KernelFeatures(landlock=0, seccomp=False, seatbelt=True)
SCRATCH = Path("/private/var/folders/x/certo-1-2-abc")
TEXT = st.text(st.characters(exclude_characters="\0"), max_size=40)
NAME = st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda name: name not in (".", "..")
)
TOKENS = re.compile(r'\s*(?:(?P<paren>[()])|"(?P<string>(?:[^"\\]|\\.)*)"|(?P<word>[^\s()"]+))', re.DOTALL)


def read(text: str) -> list[Any]:
    """Read a profile the way its language's reader does: a list of rules, strings as tuples of one."""
    stack: list[list[Any]] = [[]]
    place = 0
    while text[place:].strip():
        token = TOKENS.match(text, place)
        assert token is not None, text[place:]
        place = token.end()
        if token["paren"] == "(":
            stack.append([])
        elif token["paren"] == ")":
            whole = stack.pop()
            stack[-1].append(whole)
        elif token["word"]:
            stack[-1].append(token["word"])
        else:
            stack[-1].append((re.sub(r"\\(.)", r"\1", token["string"], flags=re.DOTALL),))
    assert len(stack) == 1
    return stack[0]


def work(root: str, policy: Policy = Policy.STRICT) -> Work:
    return Work(
        program=Program(home=Path("/programs"), module="p"),
        request={},
        interpreter=OURS,
        root=Path(root),
        policy=policy,
    )


def allowed(policy: Policy, operation: str, kind: str) -> set[str]:
    """Return the paths a profile allows an operation on."""
    rules = [rule for rule in read(profile(work("/project", policy), SCRATCH)) if rule[:2] == ["allow", operation]]
    return {path for rule in rules for what, *paths in rule[2:] if what == kind for (path,) in paths}


@given(TEXT)
def test_quoted_text_is_read_back(text: str) -> None:
    assert read(quoted(text)) == [(text,)]


@given(NAME)
def test_no_folder_name_changes_what_is_allowed(name: str) -> None:
    plain, odd = (read(profile(work(root), SCRATCH)) for root in ("/project", f"/{name}"))
    assert [rule[:2] for rule in plain] == [rule[:2] for rule in odd]
    readable = next(rule for rule in odd if rule[:2] == ["allow", "file-read*"])
    assert ["subpath", (f"/{name}",)] in readable
    assert [rule for rule in plain if "write" in rule[1]] == [rule for rule in odd if "write" in rule[1]]


def test_everything_is_denied_by_default() -> None:
    """The network is denied by name as well."""
    rules = read(profile(work("/project"), SCRATCH))
    assert rules[:3] == [["version", "1"], ["deny", "default"], ["deny", "network*"]]
    assert {rule[0] for rule in rules[3:]} == {"allow"}


def test_only_the_scratch_is_writable() -> None:
    """The overlay and the project are only read."""
    assert allowed(Policy.SUBPROCESS, "file-write*", "subpath") == {f"{SCRATCH}/home", f"{SCRATCH}/tmp"}
    assert allowed(Policy.STRICT, "file-write-data", "literal") == {"/dev/null", "/dev/zero"}
    readable = allowed(Policy.STRICT, "file-read*", "subpath")
    assert {"/project", f"{SCRATCH}/overlay", "/usr/lib", *map(str, OURS.readable)} <= readable
    assert not readable & {"/", "/Users", "/private", "/private/etc", "/usr/local", str(SCRATCH)}


@pytest.mark.parametrize(
    ("policy", "forks", "executes"),
    [(Policy.STRICT, False, False), (Policy.FORKING, True, False), (Policy.SUBPROCESS, True, True)],
)
def test_each_policy_allows_only_its_own(policy: Policy, *, forks: bool, executes: bool) -> None:
    operations = {rule[1] for rule in read(profile(work("/project", policy), SCRATCH))[3:]}
    assert ("process-fork" in operations) is forks
    assert ("process-exec*" in operations) is executes
    assert not [operation for operation in operations if operation.startswith("network")]
    signals = [rule for rule in read(profile(work("/project", policy), SCRATCH)) if rule[1] == "signal"]
    assert signals == [["allow", "signal", ["target", "same-sandbox" if forks else "self"]]]


def test_orders_have_a_profile_only_with_seatbelt(tmp_path: Path) -> None:
    here = work(str(tmp_path))
    assert walls_order(SEATBELT, here, tmp_path, alone=False)["seatbelt"] == profile(here, tmp_path)
    assert walls_order(replace(SEATBELT, seatbelt=False), here, tmp_path, alone=False)["seatbelt"] == ""


def test_an_isolated_candidate_cannot_read_tests() -> None:
    assert hiding(work("/project")) == ""
    apart = replace(work("/project"), apart=Apart(files=("a.py",), hidden=("tests", 'odd "name"')))
    assert read(hiding(apart)) == [
        ["deny", "file-read-data", ["subpath", ('/project/odd "name"',)], ["subpath", ("/project/tests",)]]
    ]


def test_the_description_names_confinement_and_gaps() -> None:
    assert SEATBELT.whole
    assert in_words("", SEATBELT, Policy.STRICT, network=False) == (
        "Seatbelt: no network, no new processes, project read-only"
    )
    assert "within reach: your processor" in in_words("", SEATBELT, Policy.SUBPROCESS, network=False)
