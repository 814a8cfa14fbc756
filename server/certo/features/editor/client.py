"""Abilities of one editor, read once from its declared capabilities."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types

from certo.edits.positions import Encoding
from certo.protocol.negotiation import VERSIONS, agreed, asked, said
from certo.vocabulary.errors import BadRequest, UnsupportedVersion

ASKING_AT_KEYBOARD = frozenset({"neovim", "vim", "emacs", "helix"})
"""Names of editors in which typed text answers a question, even while the user is writing code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Abilities of the editor; everything is off unless declared.

    `encoding` is the unit of its positions. `version` is the agreed version of certo's own protocol, None for a client
    of plain LSP; `versions` are those it asked for. `lazy_actions` means that code actions are completed on demand,
    `late_disabled` that completion may disable them. `command_links` means that hovers may run commands, `instructions`
    that it asks its user for one, `questions` that it can offer a choice, `asks_at_keyboard` that it does so where the
    user types. `virtual_documents` means that it requests documents of the scheme `certo`. `configuration` means that
    settings can be requested, `configuration_by_request` that changes are reported only on request, `model` that it
    offers a language model, `secrets` that it stores keys.
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
                f"{method} is for clients that have agreed on a version of certo's protocol; name one of {spoken} in "
                f'capabilities.experimental of initialize: {{"certo": {{"versions": {spoken}}}}}'
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


def read_client(
    capabilities: types.ClientCapabilities, options: object = None, named: types.ClientInfo | None = None
) -> Client:
    """Return the client described in `initialize`: capabilities, options and its name."""
    ours = said({"experimental": capabilities.experimental}, options)
    version = agreed(ours)
    window = capabilities.window or types.WindowClientCapabilities()
    workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
    edit = workspace.workspace_edit or types.WorkspaceEditClientCapabilities()
    lens = workspace.code_lens or types.CodeLensWorkspaceClientCapabilities()
    hint = workspace.inlay_hint or types.InlayHintWorkspaceClientCapabilities()
    changed = workspace.did_change_configuration or types.DidChangeConfigurationClientCapabilities()
    document = capabilities.text_document or types.TextDocumentClientCapabilities()
    action = document.code_action or types.CodeActionClientCapabilities()
    hover = document.hover or types.HoverClientCapabilities()
    late = (
        frozenset(action.resolve_support.properties) if action.resolve_support and action.data_support else frozenset()
    )
    return Client(
        encoding=_encoding(capabilities.general),
        code_action_literals=action.code_action_literal_support is not None,
        disabled_actions=bool(action.disabled_support),
        lazy_actions="command" in late,
        late_disabled="disabled" in late,
        generated_tag=action.tag_support is not None
        and types.CodeActionTag.LlmGenerated in (action.tag_support.value_set or ()),
        apply_edit=bool(workspace.apply_edit),
        document_changes=bool(edit.document_changes),
        creates_files=types.ResourceOperationKind.Create in (edit.resource_operations or ()),
        work_done_progress=bool(window.work_done_progress),
        show_document=window.show_document is not None and window.show_document.support,
        lens_refresh=bool(lens.refresh_support),
        hint_refresh=bool(hint.refresh_support),
        markdown_hover=_likes_markdown(hover),
        command_links=ours.get("commandLinks") is True,
        instructions=ours.get("instructions") is True,
        questions=window.show_message is not None and window.show_message.message_action_item is not None,
        asks_at_keyboard=named is not None and named.name.lower() in ASKING_AT_KEYBOARD,
        virtual_documents=workspace.text_document_content is not None,
        configuration=bool(workspace.configuration),
        configuration_by_request=bool(changed.dynamic_registration),
        version=version,
        versions=asked(ours),
        model=version is not None and ours.get("model") is True,
        secrets=version is not None and ours.get("secrets") is True,
    )


def _encoding(general: types.GeneralClientCapabilities | None) -> Encoding:
    """Return the editor's first supported encoding; UTF-16 if it names none, as LSP says."""
    for offered in (general.position_encodings if general else None) or ():
        if offered in {known.value for known in Encoding}:
            return Encoding(offered)
    return Encoding.UTF16


def _likes_markdown(hover: types.HoverClientCapabilities) -> bool:
    """True if the editor prefers Markdown to plain text."""
    formats = hover.content_format or ()
    return bool(formats) and formats[0] == types.MarkupKind.Markdown
