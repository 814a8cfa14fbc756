"""Turns of a conversation: how it begins and goes on, what it goes back to, and how it parts at several answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from string import Template

from certo.generation.prompt_templates import PromptTemplate
from certo.llm.prompt import Message
from certo.vocabulary.errors import BadSetting

Turns = tuple[Message, ...]

Words = str | Message | Sequence[Message] | PromptTemplate
"""What a conversation may begin with."""


def opening(prompt: Words, system: str) -> Turns:
    """Return the turns that a conversation begins with.

    Raises:
        BadSetting: it is nothing that a conversation can begin with.
    """
    if isinstance(prompt, PromptTemplate):
        said = tuple(Message(role="user", text=text) for text in prompt.texts)
        system = system or prompt.system
    elif isinstance(prompt, str):
        said = (Message(role="user", text=prompt),)
    elif isinstance(prompt, Message):
        said = (prompt,)
    else:
        said = tuple(prompt)
    if not all(isinstance(each, Message) for each in said):
        raise BadSetting(f"a call begins with a text, messages or a template, not with {prompt!r}")
    turns: Turns = (Message(role="system", text=system),) if system else ()
    for each in said:
        turns = gone_on(turns, each)
    return turns


def filled(turns: Sequence[Message], values: Mapping[str, object]) -> tuple[Turns, frozenset[str]]:
    """Return turns with placeholders such as `$name` filled, and the names of the values that had a place.

    What nothing is given for stays as it is, so that a dollar sign may be one.
    """
    told = {name: str(value) for name, value in values.items()}
    templates = [Template(turn.text) for turn in turns]
    used = frozenset(name for template in templates for name in template.get_identifiers() if name in told)
    if not used:
        return tuple(turns), used
    texts = [template.safe_substitute(told) for template in templates]
    return tuple(replace(turn, text=text) for turn, text in zip(turns, texts, strict=True)), used


def gone_on(turns: Sequence[Message], said: Message) -> Turns:
    """Return a conversation with one more turn; where it is its own author's turn still, that turn becomes longer."""
    if not turns or turns[-1].role != said.role:
        return (*turns, said)
    last = turns[-1]
    return (*turns[:-1], replace(last, text=f"{last.text}\n\n{said.text}", images=(*last.images, *said.images)))


def question_of(turns: Sequence[Message]) -> Turns:
    """Return a conversation without the answers at its end: what they were answers to."""
    answers = sum(1 for _ in takewhile(lambda turn: turn.role == "assistant", reversed(turns)))
    return tuple(turns[: len(turns) - answers])


def split_multi_samples(turns: Sequence[Message]) -> tuple[Turns, ...]:
    """Return one conversation for each of the answers at the end, if there are several to the same question."""
    question = question_of(turns)
    answers = turns[len(question) :]
    return tuple((*question, answer) for answer in answers) or (tuple(turns),)
