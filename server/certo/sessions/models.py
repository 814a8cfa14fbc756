"""From settings to language models: what they name, and where keys, answers and recordings of this user are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from certo.llm.connections import Connections
from certo.llm.editor import AskClient
from certo.llm.keys import AskEditor, Keys
from certo.llm.ledger import Ledger
from certo.llm.models import ConfiguredModels, ModelChoice
from certo.sessions.stating import Aim
from certo.settings.schema import Settings


def connect(
    environ: Mapping[str, str], ask_editor: AskEditor | None = None, editor_model: AskClient | None = None
) -> Connections:
    """What one session has in common about models; answers are kept in the user's cache directory."""
    cache = Path(environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "certo"
    return Connections(Keys(environ, ask_editor=ask_editor), cache=cache, editor=editor_model)


def choice_of(settings: Settings) -> ModelChoice:
    """All that the settings say of models."""
    return ModelChoice(default=settings.model, named=settings.models)


def models_of(aim: Aim, connections: Connections, ledger: Ledger) -> ConfiguredModels:
    """The models of one search; the files it records to and replays from are seen from the root.

    Raises:
        BadSetting: the file to replay is not as it should be.
    """
    search = aim.settings.search
    return ConfiguredModels(
        choice_of(aim.settings),
        connections,
        ledger,
        record=_below(aim.root, search.record),
        replay=_below(aim.root, search.replay),
        background=aim.request.background,
    )


def _below(root: Path, path: str | None) -> Path | None:
    return None if path is None else root / Path(path).expanduser()
