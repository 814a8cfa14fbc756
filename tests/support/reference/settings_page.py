"""docs/reference/settings.md: a heading for each group, an anchor for each setting."""

from __future__ import annotations

from itertools import groupby

from certo.settings.documents import settings_table
from certo.settings.schema import NAME, Option, known_options
from support.reference.markdown import page

_INTRODUCTION = """\
A project sets them in `pyproject.toml` below `[tool.certo]`, or in a file `certo.toml`. An editor sends the same names
in camelCase. An environment variable is `CERTO_`, the group, two underscores and the name: `CERTO_SEARCH__SECONDS=30`.
If several set the same one, the command line wins over the environment, the environment over the editor, and the
editor over the project. `certo doctor` says what is in force, and where it comes from."""

_HEAD = "| setting | type | default | what it does |\n| --- | --- | --- | --- |"


def settings_page() -> str:
    """Return every setting with its type, its default and what it does."""
    rows = dict(zip(known_options().values(), settings_table().splitlines()[2:], strict=True))
    parts = []
    for group, members in groupby(rows, key=lambda option: ".".join(option.group)):
        options = list(members)
        if group == f"models.{NAME}" and _is_as_model(options):
            parts.append(
                f"## `{group}`\n\nFurther language models, each under a name of its own. They have the settings of "
                "[`model`](#model), with the same defaults."
            )
        else:
            parts.append(
                "\n".join([f"## `{group}`\n", _HEAD, *(_anchored(option, rows[option]) for option in options)])
            )
    return page("Settings", "the options that the code declares", _INTRODUCTION, *parts)


def _anchored(option: Option, row: str) -> str:
    return row.replace("| ", f'| <a id="{option.name}"></a>', 1)


def _is_as_model(options: list[Option]) -> bool:
    """True if the group has the settings of `model`, with the same types."""
    model = [option for option in known_options().values() if option.group == ("model",)]
    return [(each.path[-1], each.annotation) for each in options] == [
        (each.path[-1], each.annotation) for each in model
    ]
