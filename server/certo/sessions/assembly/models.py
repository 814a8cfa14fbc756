"""From settings to language models: what they name, and where keys, answers and recordings of this user are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from certo.llm.connections import Connections
from certo.llm.editor import AskClient
from certo.llm.keys import AskEditor, Keys
from certo.llm.ledger import Ledger, PaidCallLog
from certo.llm.models import ConfiguredModels, ModelChoice
from certo.llm.options import ModelOptions
from certo.llm.wrappers.record_replay import Write
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.sessions.assembly.problem_statement import ResolvedRequest
    from certo.settings.schema import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientServices:
    """The services that a client lends to the searches it starts: its secrets and its own model, while it is connected.

    None where it has none.
    """

    ask_editor: AskEditor | None = None
    editor_model: AskClient | None = None


NO_CLIENT_SERVICES = ClientServices()


def connect(environ: Mapping[str, str]) -> Connections:
    """Return the connections to models that all searches of a process share; answers are kept in the user's cache."""
    cache = Path(environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "certo"
    return Connections(Keys(environ), cache=cache)


def choice_of(settings: Settings) -> ModelChoice:
    """Return the choice of models that the settings make."""
    return ModelChoice(default=settings.model, named=settings.models)


def models_of(
    resolved: ResolvedRequest,
    connections: Connections,
    ledger: Ledger,
    keep: Write | None = None,
    receipts: PaidCallLog | None = None,
) -> ConfiguredModels:
    """Return the models of one search; the files it records to and replays from are seen from the root.

    `keep` is told of everything that is asked and answered, as a line of JSON, and `receipts` of what that took. An
    ambient search has no models.

    Raises:
        BadSetting: the file to replay is not as it should be.
    """
    search = resolved.settings.search
    return ConfiguredModels(
        ModelChoice(default=ModelOptions(), named={}) if resolved.request.ambient else choice_of(resolved.settings),
        connections,
        ledger,
        record=_below(resolved.root, search.record),
        replay=_below(resolved.root, search.replay),
        keep=keep,
        receipts=receipts,
        background=resolved.request.background,
    )


def _below(root: Path, path: str | None) -> Path | None:
    return None if path is None else root / Path(path).expanduser()
