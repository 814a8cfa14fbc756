"""Every generated page by its path in the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from support.reference.agents_page import agents_page
from support.reference.cli_page import cli_page
from support.reference.markdown import GENERATED
from support.reference.messages_page import messages_page
from support.reference.outcomes_page import outcomes_page
from support.reference.python_pages import python_pages
from support.reference.settings_page import settings_page

GENERATED_PAGES: Mapping[str, Callable[[], str]] = {
    "docs/reference/settings.md": settings_page,
    "docs/reference/cli.md": cli_page,
    "docs/reference/agents.md": agents_page,
    "docs/reference/outcomes.md": outcomes_page,
    "docs/reference/messages.md": messages_page,
    **{f"docs/reference/python/{name}.md": write for name, write in python_pages().items()},
}
"""What writes the text of each page, by its path in the project."""


def is_generated(text: str) -> bool:
    """True if `make reference` wrote this page, now or earlier."""
    return GENERATED in text
