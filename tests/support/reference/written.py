"""Every generated page by its path in the project."""

from __future__ import annotations

from collections.abc import Mapping

from support.reference.cli_page import cli_page
from support.reference.markdown import GENERATED
from support.reference.messages_page import messages_page
from support.reference.outcomes_page import outcomes_page
from support.reference.python_pages import python_pages
from support.reference.settings_page import settings_page


def generated_pages() -> Mapping[str, str]:
    """What `make reference` writes: the text of each page by its path."""
    return {
        "docs/reference/settings.md": settings_page(),
        "docs/reference/cli.md": cli_page(),
        "docs/reference/outcomes.md": outcomes_page(),
        "docs/reference/messages.md": messages_page(),
        **{f"docs/reference/python/{name}.md": text for name, text in python_pages().items()},
    }


def is_generated(text: str) -> bool:
    """True if `make reference` wrote this page, now or earlier."""
    return GENERATED in text
