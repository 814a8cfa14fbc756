"""Receipts in memory, and a model whose answers depend only on the question, for interrupted searches."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from certo.llm.ledger import Expense
from certo.llm.prompt import Prompt, Reply
from certo.llm.serialization import content_key
from support.models.model_generator import block
from support.models.scripted_answers import Answers, reply

FAILURES = 3
"""So many failed candidates a model has to see before it is right."""


@dataclass
class Slips:
    """Receipts in memory: `kept` are all calls, those with a reply can be answered again."""

    kept: list[tuple[str, Expense, Reply | None]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)

    def answered(self, key: str, /) -> Reply | None:
        found = [reply for kept, _, reply in self.kept if kept == key and reply is not None]
        number = self.given.count(key)
        if number >= len(found):
            return None
        self.given.append(key)
        return found[number]

    async def begin(self, key: str, least: Expense, /) -> str:
        self.kept.append((key, least, None))
        return str(len(self.kept) - 1)

    async def end(self, mark: str, took: Expense, reply: Reply, /) -> None:
        self.kept[int(mark)] = (self.kept[int(mark)][0], took, reply)
        self.given.append(self.kept[int(mark)][0])

    def fail(self, mark: str, took: Expense, /) -> None:
        if mark:
            self.kept[int(mark)] = (self.kept[int(mark)][0], took, None)

    @property
    def taken(self) -> Expense:
        """Return the cost of all calls."""
        return sum((took for _, took, _ in self.kept), start=Expense())

    def found(self) -> Slips:
        """Return the receipts as the next process finds them."""
        return replace(self, kept=list(self.kept), given=[])


def thoughtful() -> Answers:
    """Return a model that is wrong in new ways until it has seen enough failures, or has an idea and is lucky."""

    async def answer(prompt: Prompt) -> Reply:
        number = int(content_key("", prompt), 16) % 1000
        if prompt.schema is not None:
            wants_words = "string" in json.dumps(prompt.schema)
            listed = [f"idea {number + each}" for each in range(4)] if wants_words else [number % 7, number % 5]
            return reply(json.dumps({"value": listed}))
        seen = sum(message.role == "assistant" for message in prompt.messages)
        is_lucky = number % 8 == 0 and "idea " in prompt.messages[-1].text
        is_right = seen >= FAILURES or is_lucky
        return reply(block(f"def half(n):\n    return {'n // 2' if is_right else number}"))

    return Answers([answer])
