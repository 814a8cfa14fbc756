"""The language models of a request from an editor, which may lend its own."""

from __future__ import annotations

from certo.features.editor.session import EditorSession
from certo.llm.ledger import Ledger
from certo.llm.model import ChatModel
from certo.llm.models import ConfiguredModels
from certo.sessions.assembly.models import models_of
from certo.sessions.assembly.problem_statement import ResolvedRequest


def models_for(desk: EditorSession, resolved: ResolvedRequest) -> ConfiguredModels:
    """Return the models of the settings, within the budget of one search."""
    lent = desk.searches.connections.lent(desk.loans.ask_editor, desk.loans.editor_model)
    return models_of(resolved, lent, Ledger(resolved.settings.search.budget))


def model_for(desk: EditorSession, resolved: ResolvedRequest) -> ChatModel:
    """Return the default model.

    Raises:
        BadSetting: None is configured.
    """
    return models_for(desk, resolved).named()
