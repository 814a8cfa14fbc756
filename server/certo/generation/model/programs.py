"""From a model's answer to the whole program in it: every block of Python, one after the other."""

from __future__ import annotations

import re
from dataclasses import dataclass

from certo.generation.model.extraction import MOST_CHARACTERS, as_body, parsed, without_prompts, without_thoughts
from certo.generation.model.fences import PYTHON, blocks

_COMMAND = re.compile(r"^[ \t]*[!%][A-Za-z].*$", re.MULTILINE)
"""A line that a notebook hands to a shell or takes for itself, such as `!pip install numpy`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeProgram:
    """All code of an answer, and notes on what was left out of it."""

    code: str = ""
    notes: tuple[str, ...] = ()


def whole_program(answer: str) -> WholeProgram:
    """The code of an answer, all blocks that say they are Python joined by line breaks.

    Where none says so, those without a language count that are code; an answer without any block is code when all of
    it parses. Prompts of an interactive session are taken away, and lines that only a notebook understands, such as
    those that install packages, are left out with a note. Thoughts between tags at the beginning do not count.
    """
    text = without_thoughts(answer[:MOST_CHARACTERS]).replace("\r\n", "\n")
    found = [block for block in blocks(text) if block.code.strip()]
    own = [block.code for block in found if block.language in PYTHON]
    unnamed = [block.code for block in found if not block.language]
    chosen = own or [code for code in unnamed if as_body(without_prompts(code)) is not None]
    if not found:
        chosen = [text] if as_body(without_prompts(text)) is not None else []
    return _without_commands("\n".join(without_prompts(code).strip("\n") for code in chosen))


def _without_commands(code: str) -> WholeProgram:
    """Code without the lines that only a notebook understands; where it parses as it is, there are none."""
    if not _COMMAND.search(code) or parsed(code) is not None:
        return WholeProgram(code=code)
    left_out = [line.strip() for line in _COMMAND.findall(code)]
    notes = tuple(f"Warning: `{line}` was left out; nothing can be installed or started." for line in left_out)
    return WholeProgram(code=_COMMAND.sub("", code), notes=notes)
