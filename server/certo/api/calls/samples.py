"""The answers of a call as a tree: which grew from which, and how to look at them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any, TextIO

from certo.api.calls.turns import Turns
from certo.api.model_context import ModelContext
from certo.concurrency import side_by_side
from certo.llm.model import ChatModel
from certo.llm.prompt import Prompt, Reply
from certo.llm.typed.typed_answer import seeded
from certo.search.node_selection import UCT, Scoring
from certo.search.tree import Node, Tree, drawing
from certo.vocabulary.errors import CertoError, ModelFailed
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer in its conversation, and what it was made of.

    `question` is what it is an answer to, without feedback that was put into it in place; `value` what its text stands
    for. With a `misfit` that is nothing the call was to give, and these words say why. The root of a tree is the
    question alone, without a `reply`.
    """

    conversation: Turns
    question: Turns
    reply: Reply | None = field(default=None, repr=False)
    value: Any = None
    misfit: str = ""


SampleNode = Node
"""One answer in the tree of a call, as AgentTools calls it: a node whose data is a Sample."""


def copy_of(tree: Tree[Sample]) -> Tree[Sample]:
    """Return a tree with the same answers and figures, which grows by itself from then on."""
    copied = Tree(tree.root.data)
    for node in tree:
        parent = None if node.parent is None else copied.find(node.parent.id)
        new = copied.root if parent is None else copied.expand(parent, node.data)
        new.wins, new.visits, new.feedback, new.success = node.wins, node.visits, node.feedback, node.success
    return copied


def stats(node: SampleNode[Sample], scoring: Scoring | None = None) -> str:
    """Return a line on an answer: its number, wins and visits, its score if there is a scoring, its length in turns."""
    score = "" if scoring is None else f", score: {round(scoring(node), 2)}"
    length = len(node.data.conversation)
    return f"SampleNode(id: {node.id}, stats: {node.wins:g}/{node.visits}{score}, length: {length})"


def print_samples(
    samples: Tree[Sample] | SampleNode[Sample], scoring: Scoring | None = None, file: TextIO | None = None
) -> None:
    """Draw the answers of a call as a tree, each with its figures and its score, UCT's where no other is given."""
    root = samples.root if isinstance(samples, Tree) else samples
    scored = UCT() if scoring is None else scoring
    (file or sys.stdout).write(drawing(root, lambda node: stats(node, scored)) + "\n")


def spent_on(replies: Iterable[Reply]) -> tuple[int, float | None]:
    """Return the tokens of some answers, and their dollars, which are None where the price of one is not known."""
    told = tuple(replies)
    tokens = sum(each.usage.input_tokens + each.usage.output_tokens for each in told if each.usage is not None)
    prices = [each.dollars for each in told if each.dollars is not None]
    return tokens, sum(prices) if len(prices) == len(told) else None


async def asked_at_once(
    account: ModelContext, model: str | ChatModel, prompt: Prompt, number: int
) -> list[Reply | CertoError]:
    """Ask `number` questions like `prompt` at once; return the answers, or their errors, in the order of asking.

    Each is a request of its own, which every provider takes and which shares what the provider keeps of the question.
    Samples count up from the prompt's own, and so do seeds, so that a cache gives no two of them the same answer. One
    that fails leaves the others alone.
    """
    outcomes: dict[int, Reply | CertoError] = {}

    async def ask(place: int) -> None:
        sample = prompt.sample + place
        try:
            reply = await account.answer(
                model, replace(prompt, sample=sample, sampling=seeded(prompt.sampling, sample))
            )
        except CertoError as error:
            outcomes[place] = error
        else:
            # An answer without a word is no turn that could be sent back with what is wrong with it.
            outcomes[place] = reply if reply.text.strip() else ModelFailed(f"{reply.model} answered without a word")

    async with side_by_side() as group:
        for place in range(number):
            group.start_soon(ask, place)
    return [outcomes[place] for place in range(number)]
