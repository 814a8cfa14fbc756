"""No prompt holds a secret of the project: what git ignores or what looks like a secret is never quoted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from certo.criteria.prompts import judging, seen, vote_question
from certo.edits.target import ByName
from certo.generation.adviser import IdeaRequest, IdeaSummary, SelectionRequest
from certo.generation.generator import Ask, Attempt
from certo.generation.model.options import GenerationOptions
from certo.generation.model.templates import load
from certo.knowledge.reflection import Reflection
from certo.llm.prompt import Prompt, Sampling
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request, state_problem
from certo.sessions.assembly.request import Request
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding
from support.models.model_generator import block, failed, generator
from support.models.scripted_answers import Answers, reply
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project
from support.projects.repositories import begin

CANARY = "canary-4f9d1c77"

HALF = """\
from limits import LIMIT
from local_settings import TOKEN


def half(n):
    return n if n < LIMIT else TOKEN
"""
FILES = {
    ".gitignore": ".env\nprivate/\nlocal_settings.py\nscratch.py\ntest_scratch.py\n",
    ".env": f"API_TOKEN={CANARY}-env-file\n",
    "private/people.json": f'["{CANARY}-data"]\n',
    "local_settings.py": f"TOKEN = '{CANARY}-settings'\n",
    "scratch.py": f"from half import half\n\nKEY = '{CANARY}-caller'\nhalf(2)\n",
    "test_scratch.py": (
        f"from half import half\n\n\ndef test_own():\n    key = '{CANARY}-own'\n    assert half(6) == 3\n"
    ),
    # No .gitignore names these; they lie where credentials are by custom.
    ".aws/test_keys.py": (
        f"from half import half\n\n\ndef test_keys():\n    key = '{CANARY}-aws'\n    assert half(2) == 1\n"
    ),
    "limits.py": "LIMIT = 10\n",
    "counter.py": "from half import half\n\n\ndef count():\n    return half(8)\n",
    "half.py": HALF,
    "conftest.py": "import os\n\nTOKEN = os.environ.get('API_TOKEN')\n",
    "test_half.py": (
        "import os\n\nfrom half import half\n\n\ndef test_half():\n"
        "    assert half(4) == 2, [os.environ.get('API_TOKEN'), dict(os.environ)]\n"
    ),
}


@pytest.fixture
async def problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Problem:
    """The problem of `half`, stated with the real tests, for a user who has a secret in the environment too."""
    begin(tmp_path)
    monkeypatch.setenv("API_TOKEN", f"{CANARY}-variable")
    root = write_project(tmp_path, FILES)
    flags = {"tests": {"paths": ["test_half.py", "test_scratch.py"]}}
    request = Request(document=root / "half.py", text=HALF, place=ByName("half"), flags=flags)
    aim = resolve_request(request, bare_environ())
    return await state_problem(aim, await find_execution_context(aim, bare_environ()), lambda _: None)


async def asked_by_generator(problem: Problem) -> tuple[Sequence[Prompt], Attempt]:
    """Return the prompts of two candidates, of ideas and of a choice among them, and the first candidate, refused."""
    wrong, right = (reply(block(HALF.partition("\n\n\n")[2].replace("n if", f"n // {by} if"))) for by in (3, 2))
    model = Answers([wrong, right, reply(json.dumps({"value": ["halve it"]})), reply(json.dumps({"value": [1]}))])
    async with generator(model, related_tokens=2000).open(problem, lambda _: None) as proposer:
        first = await proposer.propose(Ask())
        findings = [Finding(message=f"{test.id}: {test.message}") for test in problem.baseline.tests]
        attempt = failed(problem, first, "tests", *findings)
        await proposer.propose(Ask(attempt=1, past=(attempt,)))
        await proposer.ideas(IdeaRequest(count=1, past=(attempt,)))
        among = [IdeaSummary(number=1, idea="halve it", tried=True, outcome=findings[0].message)]
        await proposer.choose(among, SelectionRequest(least=1, most=1, criteria="the likeliest"))
    return model.asked, attempt


async def test_no_prompt_quotes_a_secret(problem: Problem) -> None:
    """Related code and tests that may be read are in the prompts, so that their absence does not pass."""
    assert {test.id for test in problem.baseline.failing} == {
        "test_half.py::test_half",
        "test_scratch.py::test_own",
    }
    asked, attempt = await asked_by_generator(problem)
    assert len(asked) == 4
    reflection = Reflection(problem=problem, templates=load(problem.root, ""), options=GenerationOptions())
    material = seen(attempt.candidate, problem, ["code", "diff", "file", "instruction"])
    judged = judging("Is it short?", material, vote_question(), sampling=Sampling(), structured=False)
    texts = [message.text for prompt in (*asked, judged) for message in prompt.messages] + [reflection.question([])]
    first = texts[1]
    assert "def test_half():" in first
    assert "LIMIT = 10" in first
    assert "counter.py" in first
    assert "test_scratch.py::test_own" in first
    assert [text for text in texts if CANARY in text] == []
