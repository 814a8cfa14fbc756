"""The three measurements of a case: the oracle model, the built-in generator, and `certo verify` of the true fix."""

from __future__ import annotations

import json
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from real.cases import Case, same_code
from real.command import Answer, ask
from real.kept import Kept
from real.near_misses import near_misses
from real.suite import Run, Suite, function_node, recorded_text

ROUNDS = 2
"""Runs of the reaching tests by pytest before a measurement, and one after it; the least of all counts."""


@dataclass(frozen=True)
class Prepared:
    """A case whose tests notice the bug: the run of the fix, the tests that reach the function, those that fail."""

    case: Case
    suite: Suite
    kept: Kept
    fixed: Run
    reaching: tuple[str, ...]
    failing: tuple[str, ...]

    @property
    def target(self) -> str:
        """The function as the command is asked for it."""
        return f"{self.case.fix.file}::{self.case.fix.function}"

    def pytest_seconds(self, rounds: int) -> float:
        """Return the least wall seconds that pytest takes for the reaching tests."""
        runs = [self.suite.run(self.case.fixed, self.reaching) for _ in range(rounds)]
        return min((run.seconds for run in runs if run is not None), default=float("inf"))

    def facts(self) -> dict[str, Any]:
        """Return what every measurement reports of the case."""
        fix = self.case.fix
        tests = {"reaching": len(self.reaching), "failing": len(self.failing), "wholeSuite": self.suite.whole}
        return {"name": fix.name, "part": fix.part, "origin": fix.origin, **tests}


def prepare(case: Case, python: Path, kept: Kept) -> Prepared:
    """Learn which tests reach the function, and which of them notice the bug.

    Raises:
        Unusable: No test notices it.
    """
    suite = Suite(case, python)
    told = kept.get("tests", suite.facts)
    suite.whole, suite.options = told["whole"], tuple(told["options"])
    fixed = Run(told["outcomes"], (), told["calls"], told["varied"], 0.0)
    return Prepared(case, suite, kept, fixed, tuple(told["reaching"]), tuple(told["failing"]))


def costs(answer: Answer) -> dict[str, Any]:
    """Return what a run of the command cost."""
    return {
        "seconds": round(answer.seconds, 2),
        "processor": round(answer.processor, 2),
        "megabytes": round(answer.megabytes),
    }


def sentence(answer: Answer) -> str:
    """Return why a search ended as it did."""
    said = " ".join(str(answer.last.get(key) or "") for key in ("sentence", "reason", "advice")).strip()
    return said if answer.last.get("type") == "search.stopped" else answer.said[-300:]


def oracle(prepared: Prepared, position: int, seconds: float) -> dict[str, Any]:
    """Search with a script of near misses that ends with the true fix, and report how each was judged."""
    case, suite = prepared.case, prepared.suite
    known = position > 1 and prepared.kept.get("misses", lambda: near_misses(case, suite, prepared.reaching))
    misses = known[: position - 1] if known else []
    indentation = " " * function_node(case.fixed, case.fix).col_offset
    replies = [textwrap.dedent(indentation + each) for each in (*misses, case.fixed_source)]
    before = prepared.pytest_seconds(ROUNDS)
    with tempfile.TemporaryDirectory() as directory:
        script = Path(directory, "replies.json")
        script.write_text(json.dumps([{"source": each} for each in replies]), encoding="utf-8")
        model = ("--generator", "scripted", "--script", str(script))
        limits = ("--candidates", "1", "--iterations", str(len(replies)), "--timeout", f"{seconds:g}", "--seed", "0")
        answer = asked(case, ("generate", prepared.target, *model, *limits), seconds)
    unit = min(before, prepared.pytest_seconds(1))
    judged = rulings(answer, len(replies))
    took = seconds_after(answer, len(replies))
    verified = bool(answer.last.get("verified")) and is_winner(answer, case)
    missed = int(bool(answer.last.get("verified")) and not is_winner(answer, case))
    return {
        **prepared.facts(),
        **costs(answer),
        "misses": len(misses),
        "missesJudged": missed + sum(each not in ("", "passed") for each in judged[:-1]),
        "missesVerified": missed,
        "verified": verified,
        "unit": round(unit, 2),
        "after": round(took, 2) if took is not None else None,
        "units": round(took / unit, 2) if took is not None else None,
        "said": "" if verified else sentence(answer),
        "rulings": judged,
        "spent": spent(answer),
    }


def asked(case: Case, arguments: tuple[str, ...], seconds: float) -> Answer:
    """Run the command on the text with the bug, and put the fixed text back."""
    case.path.write_text(case.broken, encoding="utf-8")
    try:
        return ask(*arguments, at=case.clone, seconds=seconds)
    finally:
        case.path.write_text(case.fixed, encoding="utf-8")


def is_winner(answer: Answer, case: Case) -> bool:
    """True if the winner is the true fix."""
    winner = answer.last.get("winner") or {}
    return same_code(winner.get("source", ""), case.fixed)


def proposals(answer: Answer) -> dict[str, dict[str, Any]]:
    """Return the events of all proposals by the candidate's id, in order."""
    return {line["candidateId"]: line for line in answer.lines if line["type"] == "candidate.proposed"}


def rulings(answer: Answer, replies: int) -> list[str]:
    """Return for each reply the verifiers that did not pass it, or `passed`; empty if it was not judged."""
    said: list[str] = []
    for name in proposals(answer):
        lines = [line for line in answer.lines if line["type"] == "verdict" and of(line, name)]
        said.append(not_passed([line["verdict"] for line in lines]) or ("passed" if lines else ""))
    return [*said, *[""] * (replies - len(said))]


def not_passed(verdicts: list[dict[str, Any]]) -> str:
    """Return the verdicts that are not "passed", each with its first finding."""
    return "; ".join(
        f"{each['verifier']} {each['ruling']}: {each['findings'][0]['message'][:160] if each['findings'] else ''}"
        for each in verdicts
        if each["ruling"] != "passed"
    )


def seconds_after(answer: Answer, replies: int) -> float | None:
    """Return the seconds from the proposal of the last reply to the end of the search; None if there was none."""
    made = list(proposals(answer).values())
    if len(made) < replies or "at" not in answer.last:
        return None
    return float(answer.last["at"]) - float(made[-1]["at"])


def spent(answer: Answer) -> dict[str, float]:
    """Return the seconds that each verifier took for the last candidate, if it took any."""
    last = next(reversed(proposals(answer)), "")
    verdicts = [line["verdict"] for line in answer.lines if line["type"] == "verdict" and of(line, last)]
    return {each["verifier"]: round(each["seconds"], 2) for each in verdicts if each["seconds"] >= 0.01}


def builtin(prepared: Prepared, seconds: float) -> dict[str, Any]:
    """Search with the built-in generator and report if it found a fix, and if that behaves as the true one."""
    case = prepared.case
    arguments = ("generate", prepared.target, "--generator", "builtin", "--timeout", f"{seconds:g}", "--seed", "0")
    answer = asked(case, arguments, seconds)
    found = bool(answer.last.get("verified"))
    winner = (answer.last.get("winner") or {}).get("source", "") if found else ""
    why_wrong = difference(prepared, winner) if found else ""
    refused = "" if found else refusal(answer, case)
    return {
        **prepared.facts(),
        **costs(answer),
        "found": found,
        "right": found and not why_wrong,
        "whyWrong": why_wrong,
        "refused": bool(refused),
        "outcome": answer.last.get("outcome", f"exit {answer.code}"),
        "said": "" if found else refused or sentence(answer),
        "note": noted(answer),
    }


def refusal(answer: Answer, case: Case) -> str:
    """Return why a bug that its tests notice was not searched, or its true fix not verified; empty if neither is so.

    A search that looked for edits says how many it tried; any other ending is one that should not be, but for the time.
    """
    made = proposals(answer)
    for name, line in made.items():
        if same_code(edited(case.broken, line["edits"]), case.fixed):
            verdicts = [each["verdict"] for each in answer.lines if each["type"] == "verdict" and of(each, name)]
            return f"the true fix: {not_passed(verdicts) or 'not judged'}"
    if made or answer.last.get("outcome") == "budget-spent":
        return ""
    if answer.last.get("outcome") != "exhausted":
        return sentence(answer) or f"exit {answer.code}"
    declined = [str(line["reason"]) for line in answer.lines if line["type"] == "candidate.declined"]
    return "" if not declined or any(each.startswith("tried ") for each in declined) else declined[-1]


def of(line: dict[str, Any], candidate: str) -> bool:
    """True if an event is of a candidate."""
    return bool(line.get("candidateId") == candidate)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """Return a text with the edits of a proposal."""
    for edit in sorted(edits, key=lambda each: -int(each["span"]["start"])):
        text = text[: edit["span"]["start"]] + str(edit["replacement"]) + text[edit["span"]["end"] :]
    return text


def noted(answer: Answer) -> str:
    """Return the last sentence of the generator."""
    said = [line for line in answer.lines if line["type"] in ("candidate.declined", "generator.progress")]
    return str(said[-1].get("reason") or said[-1].get("message") or "")[:300] if said else ""


def difference(prepared: Prepared, winner: str) -> str:
    """Return the first way in which a winner's text differs from the true fix; empty if none is seen."""
    case, suite = prepared.case, prepared.suite
    if same_code(winner, case.fixed):
        return ""
    whole = suite.run(winner)
    if whole is None:
        return "the suite does not end"
    lost = prepared.fixed.passed - whole.passed
    if lost:
        # A test that the fix passes only now and then, or whose id has the time in it, tells nothing of the winner.
        once_more = suite.run(case.fixed)
        lost &= once_more.passed if once_more is not None else set()
    if lost:
        return f"fails {min(lost)}"
    span = len(winner) - (len(case.broken) - len(case.broken_source))
    begins = case.broken.index(case.broken_source)
    source = winner[begins : begins + span]
    sources = (case.fixed_source, case.fixed_source, source)
    true, again, other = (suite.run(recorded_text(case, each), prepared.reaching) for each in sources)
    if true is None or again is None or other is None:
        return "its calls could not be recorded"
    # What differs between two runs of the fix, such as a token with the time in it, tells nothing of the winner.
    for test, calls in true.calls.items():
        if other.calls.get(test) != calls == again.calls.get(test):
            return f"calls in {test} return something else"
    # By their arguments: a function that calls itself otherwise has other calls to vary.
    same, others = dict(again.varied), dict(other.varied)
    for arguments, gave in true.varied:
        if others.get(arguments, gave) != gave == same.get(arguments):
            return f"on {arguments} the fix {gave}, the winner {others[arguments]}"
    return ""


def verify(prepared: Prepared) -> dict[str, Any]:
    """Let the command verify the true fix as it stands, twice, against the reaching tests run by pytest."""
    before = prepared.pytest_seconds(ROUNDS)
    first, second = (ask("verify", prepared.target, at=prepared.case.clone, seconds=60.0) for _ in range(2))
    unit = min(before, prepared.pytest_seconds(1))
    verdicts = (first.last.get("evidence") or {}).get("verdicts", [])
    words = not_passed(verdicts)
    return {
        **prepared.facts(),
        **costs(first),
        "verified": bool(first.last.get("verified")),
        "said": "" if first.last.get("verified") else words or first.last.get("caveat") or first.said,
        "unit": round(unit, 2),
        "units": round(first.seconds / unit, 2),
        "unitsAgain": round(second.seconds / unit, 2),
    }
