"""Abilities of one editor, read once from its declared capabilities."""

from __future__ import annotations

from collections.abc import Mapping

from certo.edits.positions import Encoding
from certo.protocol.negotiation import VERSIONS, agreed, asked, said
from certo.vocabulary.errors import BadRequest, UnsupportedVersion
from certo.vocabulary.records import dataclass

ASKING_AT_KEYBOARD = frozenset({"neovim", "vim", "emacs", "helix"})
"""Names of editors in which typed text answers a question, even while the user is writing code."""

DROPPING_RESOLVED_COMMANDS = frozenset({"helix"})
"""Names of editors that resolve actions, but run only a command that an action had before (seen in Helix 25.01)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Abilities of the editor; everything is off unless declared.

    `change_annotations` means that it lets its user tick parts of an edit. `encoding` is the unit of its positions.
    `version` is the agreed version of certo's own protocol, None for a client of plain LSP; `versions` are those it
    asked for. `lazy_actions` means that code actions are completed on demand, `late_disabled` that completion may
    disable them. `command_links` means that hovers may run commands, `instructions` that it asks its user for one,
    `questions` that it can offer a choice, `asks_at_keyboard` that it does so where the user types. `virtual_documents`
    means that it requests documents of the scheme `certo`. `configuration` means that settings can be requested,
    `configuration_by_request` that changes are reported only on request, `watched_files` that changes of files are,
    `model` that it offers a language model,
    `secrets` that it stores keys.
    """

    encoding: Encoding = Encoding.UTF16
    version: int | None = None
    versions: tuple[int, ...] | None = None
    code_action_literals: bool = False
    disabled_actions: bool = False
    lazy_actions: bool = False
    late_disabled: bool = False
    generated_tag: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    creates_files: bool = False
    change_annotations: bool = False
    work_done_progress: bool = False
    show_document: bool = False
    lens_refresh: bool = False
    hint_refresh: bool = False
    markdown_hover: bool = False
    command_links: bool = False
    instructions: bool = False
    questions: bool = False
    asks_at_keyboard: bool = False
    virtual_documents: bool = False
    configuration: bool = False
    configuration_by_request: bool = False
    watched_files: bool = False
    model: bool = False
    secrets: bool = False

    @property
    def misunderstood(self) -> bool:
        """True if the client asked for certo's protocol, but for no supported version."""
        return self.versions is not None and self.version is None

    def need_version(self, method: str) -> None:
        """Check that the client may use a method of certo's protocol.

        Raises:
            UnsupportedVersion: No version of that protocol was agreed upon.
        """
        if self.version is None:
            spoken = list(VERSIONS)
            raise UnsupportedVersion(
                f"{method} needs an agreed version of certo's protocol; name one in capabilities.experimental of "
                f'initialize: {{"certo": {{"versions": {spoken}}}}}'
            )

    def need_edits(self) -> None:
        """Check that the client can apply edits.

        Raises:
            BadRequest: It accepts none from a server.
        """
        if not self.apply_edit:
            raise BadRequest(
                "this editor takes no edits from a server; accept it from the code actions, or apply its diff by hand"
            )


def read_client(initialize: Mapping[str, object]) -> Client:
    """Return the client described in the params of `initialize`; what is not as LSP says it is counts as left out."""
    capabilities = initialize.get("capabilities")
    ours = said(capabilities, initialize.get("initializationOptions"))
    version = agreed(ours)
    action = _part(capabilities, "textDocument", "codeAction")
    late = _listed(action, "resolveSupport", "properties") if action.get("dataSupport") else ()
    name = str(_part(initialize, "clientInfo").get("name", "")).lower()
    return Client(
        encoding=_encoding(capabilities),
        code_action_literals=isinstance(action.get("codeActionLiteralSupport"), Mapping),
        disabled_actions=bool(action.get("disabledSupport")),
        lazy_actions="command" in late and name not in DROPPING_RESOLVED_COMMANDS,
        late_disabled="disabled" in late,
        generated_tag=_LLM_GENERATED in _listed(action, "tagSupport", "valueSet"),
        apply_edit=_has(capabilities, "workspace", "applyEdit"),
        document_changes=_has(capabilities, "workspace", "workspaceEdit", "documentChanges"),
        creates_files="create" in _listed(capabilities, "workspace", "workspaceEdit", "resourceOperations"),
        change_annotations=isinstance(
            _part(capabilities, "workspace", "workspaceEdit").get("changeAnnotationSupport"), Mapping
        ),
        work_done_progress=_has(capabilities, "window", "workDoneProgress"),
        show_document=_has(capabilities, "window", "showDocument", "support"),
        lens_refresh=_has(capabilities, "workspace", "codeLens", "refreshSupport"),
        hint_refresh=_has(capabilities, "workspace", "inlayHint", "refreshSupport"),
        markdown_hover=_listed(capabilities, "textDocument", "hover", "contentFormat")[:1] == ("markdown",),
        command_links=ours.get("commandLinks") is True,
        instructions=ours.get("instructions") is True,
        questions=isinstance(_part(capabilities, "window", "showMessage").get("messageActionItem"), Mapping),
        asks_at_keyboard=name in ASKING_AT_KEYBOARD,
        virtual_documents=isinstance(_part(capabilities, "workspace").get("textDocumentContent"), Mapping),
        configuration=_has(capabilities, "workspace", "configuration"),
        configuration_by_request=_has(capabilities, "workspace", "didChangeConfiguration", "dynamicRegistration"),
        watched_files=_has(capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration"),
        version=version,
        versions=asked(ours),
        model=version is not None and ours.get("model") is True,
        secrets=version is not None and ours.get("secrets") is True,
    )


_LLM_GENERATED = 1
"""LSP's `CodeActionTag` of actions that a language model wrote."""


def _part(whole: object, *names: str) -> Mapping[str, object]:
    """Return the object that names lead to; an empty one if there is none."""
    for name in names:
        whole = whole.get(name) if isinstance(whole, Mapping) else None
    return whole if isinstance(whole, Mapping) else {}


def _has(whole: object, *names: str) -> bool:
    """True if the names lead to true, or to 1 from an editor whose language has no other."""
    return bool(_part(whole, *names[:-1]).get(names[-1]))


def _listed(whole: object, *names: str) -> tuple[object, ...]:
    """Return the list that names lead to; an empty one if there is none."""
    listed = _part(whole, *names[:-1]).get(names[-1])
    return tuple(listed) if isinstance(listed, list) else ()


def _encoding(capabilities: object) -> Encoding:
    """Return the editor's first supported encoding; UTF-16 if it names none, as LSP says."""
    known = {each.value: each for each in Encoding}
    for offered in _listed(capabilities, "general", "positionEncodings"):
        if isinstance(offered, str) and offered in known:
            return known[offered]
    return Encoding.UTF16
