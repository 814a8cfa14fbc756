"""Extraction of code from a model's answer: choice of the block, and code without fences."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from certo.edits.source import parse
from certo.generation.model.code_blocks import PYTHON, CodeBlock, blocks
from certo.vocabulary.records import dataclass

MAX_CHARACTERS = 4_000_000
"""Maximum number of characters of an answer that are examined."""

MAX_CODE = 100_000
"""Maximum length of a block that is parsed; a longer one is searched as text, since parsing it would block."""

MAX_BLOCKS = 16
"""Maximum number of blocks examined in full, the last ones."""

_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
_STARTS = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[(\[]|class[ \t]+\w++[^\n]*:|@\w"
    r"|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[^\n]*)?[ \t]*$"
    r"|from[ \t]+[\w.]+[ \t]+import\b)",
    re.MULTILINE,
)
_GOES_ON = re.compile(
    r"(?:async[ \t]+(?:def|for|with)|def|class|import|from|if|elif|else|try|except|finally|for|while|with|return|raise"
    r"|assert|del|global|match)\b.*|[@#)\]}].*|[A-Za-z_][\w.]*+(?:[ \t]*+:[^=]*+)?[ \t]*+[-+*/%|&]?=(?!=).*"
)
"""A line at the margin that continues code, not prose.

Repetitions are possessive, here and in `_STARTS`, so that a long line of nonsense is scanned once.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """Code from an answer, and imports from blocks of their own.

    `whole` is True if it was not cut off, which only its fences show.
    """

    code: str
    imports: str = ""
    whole: bool = True


def extract(answer: str, name: str) -> Extracted | None:
    """Return the code for the function `name` in an answer; None if there is none.

    Of several blocks the last that defines the function is taken, parsable ones before others; blocks with only imports
    are added. If none defines it, the largest that can be its body is taken or, if none parses, the largest. An answer
    without blocks is code from the first line that looks like it, or as a whole if it parses as a body. Thoughts
    between tags at the beginning are skipped. Runs in linear time.
    """
    text = without_thoughts(answer[:MAX_CHARACTERS]).replace("\r\n", "\n")
    found = [block for block in blocks(text) if block.code.strip()]
    if not found:
        return _unfenced(text, name)
    python = [_cleaned(block, name) for block in found if block.is_python][-MAX_BLOCKS:]
    python = [block for block in python if block.code]
    return _chosen(python, name) if python else None


def function_text(code: str, name: str) -> str:
    """Return the text of the last function of this name with its decorators, even of invalid code; "" for none."""
    heads = list(re.finditer(rf"^([ \t]*)(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", code, re.MULTILINE))
    if not heads:
        return ""
    start = heads[-1].start()
    while start:
        above = code.rfind("\n", 0, start - 1) + 1
        if not code[above:start].lstrip().startswith("@"):
            break
        start = above
    lines = code[heads[-1].start() :].split("\n")
    margin = len(heads[-1].group(1))
    end = next((number for number, line in enumerate(lines[1:], 1) if _is_outside(line, margin)), len(lines))
    return (code[start : heads[-1].start()] + "\n".join(lines[:end])).rstrip()


def _is_outside(line: str, margin: int) -> bool:
    """True if a line is outside a function whose head is at the margin; a head may end with a bracket there."""
    content = line.lstrip()
    return bool(content) and len(line) - len(content) <= margin and content[0] not in ")]}#"


def parsed(code: str) -> ast.Module | None:
    """Return the syntax tree of code that may be indented as a whole; None when it does not parse."""
    try:
        return parse(framed(code))
    except SyntaxError:
        return None


def framed(code: str) -> str:
    """Return code in a form that parses at any indentation: below a condition of its own, one line further down.

    Removing the indentation instead would change strings of several lines.
    """
    first = next((line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")), "")
    return f"if 1:\n{code}" if first[:1] in {" ", "\t"} else f"\n{code}"


def as_body(code: str) -> ast.Module | None:
    """Return the tree of code that can be a function's body and does something; None otherwise."""
    tree = parsed(code)
    return tree if tree is not None and any(map(_does_something, statements(tree))) else None


def statements(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of code that was parsed by `parsed`, without the condition they were put below."""
    frame = tree.body[0] if tree.body else None
    return frame.body if isinstance(frame, ast.If) and frame.lineno == 1 else tree.body


def without_thoughts(text: str) -> str:
    """Return the text after the thoughts with which some models begin, between tags; empty while these have no end."""
    if not text.lstrip().startswith("<think>"):
        return text
    return text.partition("</think>")[2]


def _chosen(found: Sequence[CodeBlock], name: str) -> Extracted:
    defining = [block for block in found if function_text(block.code, name)]
    if defining:
        best = next((block for block in reversed(defining) if parsed(block.code) is not None), defining[-1])
        imports = [textwrap.dedent(block.code) for block in found if block is not best and _only_imports(block.code)]
        return Extracted(code=best.code, imports="\n".join(imports), whole=best.closed)
    by_size = sorted(found, key=lambda block: len(block.code), reverse=True)
    best = next((block for block in by_size if parsed(block.code) is not None), by_size[0])
    return Extracted(code=best.code, whole=best.closed)


def _cleaned(block: CodeBlock, name: str) -> CodeBlock:
    """Return a block without prompts and surrounding empty lines; of an overlong one only the function."""
    code = without_prompts(block.code).strip("\n")
    return replace(block, code=_bounded(code, name))


def _bounded(code: str, name: str) -> str:
    if len(code) <= MAX_CODE:
        return code
    function = function_text(code, name)
    return function if len(function) <= MAX_CODE else ""


def without_prompts(code: str) -> str:
    """Return the code typed at the prompts of an interactive session, without the prompts and the output."""
    first = next((line for line in code.split("\n") if line.strip()), "")
    if not first.lstrip().startswith(">>> "):
        return code
    typed = [line.lstrip() for line in code.split("\n") if _PROMPT.match(line)]
    return "\n".join(line[4:] for line in typed)


def _only_imports(code: str) -> bool:
    tree = parsed(code)
    found = statements(tree) if tree is not None else []
    return bool(found) and all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in found)


def _does_something(statement: ast.stmt) -> bool:
    """True if a statement could be meant as code: a single word of prose parses too, and so does a quoted remark."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call | ast.Await | ast.Yield | ast.YieldFrom)
    return not isinstance(statement, ast.AnnAssign) or statement.value is not None


def _unfenced(text: str, name: str) -> Extracted | None:
    """Return the code in an answer without a single fence."""
    code = _bounded(without_prompts(text.strip("\n")), name)
    if code.strip() and as_body(code) is not None:
        return Extracted(code=code, whole=False)
    start = _STARTS.search(text)
    if start is not None:
        code = _bounded(without_prompts(_up_to_prose(text[start.start() :])), name)
        return Extracted(code=code, whole=False) if code else None
    session = "\n".join(line for line in text.split("\n") if _PROMPT.match(line))
    code = _bounded(without_prompts(session), name) if session.lstrip().startswith(">>> ") else ""
    return Extracted(code=code, whole=False) if code else None


def _up_to_prose(text: str) -> str:
    """Return the lines of a text from the first on, until one at the margin that is no code."""
    lines = text.split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    kept = [lines[0]]
    for line in lines[1:]:
        outside = line.strip() and len(line) - len(line.lstrip()) <= margin
        if outside and not _GOES_ON.fullmatch(line.strip()):
            break
        kept.append(line)
    return "\n".join(kept).rstrip()


_COMMAND = re.compile(r"^[ \t]*[!%][A-Za-z].*$", re.MULTILINE)
"""A notebook's shell command or magic, such as `!pip install numpy`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeProgram:
    """All code of an answer, and notes on parts left out of it."""

    code: str = ""
    notes: tuple[str, ...] = ()


def whole_program(answer: str) -> WholeProgram:
    """Return the code of an answer: all blocks marked as Python, joined by line breaks.

    If none is marked, unmarked ones that are code count; an answer without any block is code if all of it parses.
    Interactive prompts are removed, and notebook commands, such as installations, are left out with a note. Thoughts
    between tags at the beginning are skipped.
    """
    text = without_thoughts(answer[:MAX_CHARACTERS]).replace("\r\n", "\n")
    found = [block for block in blocks(text) if block.code.strip()]
    own = [block.code for block in found if block.language in PYTHON]
    unnamed = [block.code for block in found if not block.language]
    chosen = own or [code for code in unnamed if as_body(without_prompts(code)) is not None]
    if not found:
        chosen = [text] if as_body(without_prompts(text)) is not None else []
    return _without_commands("\n".join(without_prompts(code).strip("\n") for code in chosen))


def _without_commands(code: str) -> WholeProgram:
    """Return code without notebook commands; code that parses has none."""
    if not _COMMAND.search(code) or parsed(code) is not None:
        return WholeProgram(code=code)
    left_out = [line.strip() for line in _COMMAND.findall(code)]
    notes = tuple(f"Warning: `{line}` was left out; nothing can be installed or started." for line in left_out)
    return WholeProgram(code=_COMMAND.sub("", code), notes=notes)
