"""Prompts as files: certo's own, and a project's replacements."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

SHIPPED = Path(__file__).with_name("prompts")

_ABOUT = frozenset({"name", "path", "instruction", "code", "file", "tests", "related", "memory", "hint"})

PLACEHOLDERS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "system": (frozenset(), frozenset({"python", "name", "path"})),
    "system-files": (frozenset(), frozenset({"python", "name", "path", "others"})),
    "implement": (frozenset({"code"}), _ABOUT),
    "repair": (frozenset({"code"}), _ABOUT),
    "rewrite": (frozenset({"code", "instruction"}), _ABOUT),
    "faster": (frozenset({"code"}), _ABOUT),
    "failed": (frozenset({"findings"}), frozenset({"findings", "verifier", "tests", "name"})),
    "repeated": (frozenset({"findings"}), frozenset({"findings", "verifier", "name"})),
    "feedback": (frozenset({"feedback"}), frozenset({"feedback", "findings", "name"})),
    "no-code": (frozenset({"name"}), frozenset({"problem", "name"})),
    "cut": (frozenset({"name"}), frozenset({"name"})),
    "reflect": (frozenset({"sections", "tried"}), frozenset({"sections", "path", "file", "tests", "tried"})),
    "follow": (frozenset({"idea"}), frozenset({"idea", "errors"})),
    "in-place": (frozenset({"feedback"}), frozenset({"feedback"})),
    "write-tests": (
        frozenset({"code"}),
        frozenset({"python", "name", "path", "code", "file", "tests", "unnoticed"}),
    ),
    "advise": (frozenset(), frozenset({"python", "name", "path"})),
    "ideas": (
        frozenset({"problem", "count"}),
        frozenset({"problem", "count", "tried", "idea", "known", "errors", "progress"}),
    ),
    "refine": (frozenset({"count"}), frozenset({"count"})),
    "choose": (
        frozenset({"ideas", "least", "most", "criteria"}),
        frozenset({"problem", "ideas", "least", "most", "criteria", "progress"}),
    ),
}
"""All prompts by file name: required and optional placeholders."""

_SECTION = re.compile(r"^(?=#{1,6} )", re.MULTILINE)
_MAX_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Templates:
    """Texts of all prompts by name, with validated placeholders such as `$code`."""

    texts: Mapping[str, str]

    def fill(self, prompt: str, /, **values: str) -> str:
        """Return a prompt with its placeholders filled; a section with only empty placeholders is left out."""
        sections = map(Template, _SECTION.split(self.texts[prompt]))
        said = (section.substitute(values).strip() for section in sections if _has_something(section, values))
        return "\n\n".join(filter(None, said))


def load(root: Path, directory: str) -> Templates:
    """Return the prompts, replaced by those in a project's `directory`.

    Raises:
        BadSetting: There is no such directory in the project, or a file in it is no prompt, is unreadable, or has wrong
            placeholders.
    """
    texts = {name: shipped(name) for name in PLACEHOLDERS}
    return Templates({**texts, **_overriding(root, directory)} if directory else texts)


@cache
def shipped(name: str) -> str:
    """Return one of certo's own prompts."""
    return (SHIPPED / f"{name}.md").read_text(encoding="utf-8")


def _overriding(root: Path, directory: str) -> dict[str, str]:
    """Return the texts of a project's own prompts, by name."""
    folder = (root / directory).resolve()
    if not folder.is_relative_to(root.resolve()) or not folder.is_dir():
        raise BadSetting(f"generation.prompts {directory!r} is no directory in the project {root}")
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.md")):
        if not (real := file.resolve()).is_relative_to(root.resolve()) or not real.is_file():
            # Prompts are sent to a model, so a link must not lead to files outside the project.
            raise BadSetting(f"generation.prompts: {file} is no file in the project {root}; put its text there")
        if file.stem not in PLACEHOLDERS:
            raise BadSetting(
                f"generation.prompts: there is no prompt {file.stem!r} ({file}); known: {', '.join(PLACEHOLDERS)}"
            )
        found[file.stem] = _checked(file)
    return found


def _checked(file: Path) -> str:
    """Return the text of a prompt after checking its placeholders."""
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise BadSetting(f"generation.prompts: {file} is larger than {_MAX_BYTES:,} bytes; shorten it")
        text = content.decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise BadSetting(f"generation.prompts: {file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"generation.prompts: {file} is not UTF-8; save it as UTF-8") from error
    template = Template(text)
    if not template.is_valid():
        raise BadSetting(f"generation.prompts: {file} has a $ that begins no placeholder; write $$ for a dollar sign")
    required, allowed = PLACEHOLDERS[file.stem]
    found = set(template.get_identifiers())
    listed = ", ".join(f"${name}" for name in sorted(allowed))
    if unknown := sorted(found - allowed):
        raise BadSetting(f"generation.prompts: {file} has ${unknown[0]}, which nothing fills; there are {listed}")
    if missing := sorted(required - found):
        raise BadSetting(f"generation.prompts: {file} lacks ${missing[0]}, without which the model would not know it")
    return text


def _has_something(section: Template, values: Mapping[str, str]) -> bool:
    names = section.get_identifiers()
    return not names or any(values[name].strip() for name in names)
