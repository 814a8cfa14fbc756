"""Reading the capabilities of editors, real and made up."""

from __future__ import annotations

from typing import Any

import pytest

from certo.daemon.capabilities import server_capabilities
from certo.edits.positions import Encoding
from certo.features.editor.client import Client, read_client
from support.lsp.editor_profiles import capabilities


def client(declared: dict[str, Any]) -> Client:
    return read_client({"capabilities": declared})


def test_who_declares_nothing_can_do_nothing() -> None:
    assert client({}) == Client()
    assert client({"window": {}, "workspace": {}, "textDocument": {}, "general": {}}) == Client()


def test_capabilities_of_real_editors_are_read() -> None:
    code = client(capabilities("visual_studio_code"))
    assert code.apply_edit
    assert code.document_changes
    assert code.work_done_progress
    assert code.show_document
    assert code.lens_refresh
    assert code.markdown_hover
    assert code.configuration
    assert code.code_action_literals
    assert code.disabled_actions
    emacs = client(capabilities("emacs"))
    assert emacs.code_action_literals
    assert emacs.document_changes
    assert not emacs.lens_refresh
    assert not emacs.generated_tag
    neovim = client(capabilities("neovim"))
    assert neovim.apply_edit
    assert neovim.markdown_hover


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, Encoding.UTF16),
        ([], Encoding.UTF16),
        (["utf-8", "utf-16"], Encoding.UTF8),
        (["utf-32"], Encoding.UTF32),
        (["utf-7", "utf-16"], Encoding.UTF16),
    ],
)
def test_the_editors_favourite_encoding_is_taken(offered: list[str] | None, chosen: Encoding) -> None:
    declared = {"general": {} if offered is None else {"positionEncodings": offered}}
    assert client(declared).encoding is chosen


@pytest.mark.parametrize(
    ("formats", "markdown"),
    [(None, False), ([], False), (["markdown", "plaintext"], True), (["plaintext", "markdown"], False)],
)
def test_hover_format_is_the_editors_choice(formats: list[str] | None, markdown: bool) -> None:
    hover = {} if formats is None else {"contentFormat": formats}
    assert client({"textDocument": {"hover": hover}}).markdown_hover is markdown


@pytest.mark.parametrize(("known", "tagged"), [([1], True), ([], False), ([2], False)])
def test_generated_tag_needs_an_editor_with_tags(known: list[int], tagged: bool) -> None:
    assert client({"textDocument": {"codeAction": {"tagSupport": {"valueSet": known}}}}).generated_tag is tagged


@pytest.mark.parametrize(
    ("experimental", "options", "offered"),
    [
        ({"certo": {"versions": [1], "model": True}}, None, True),
        (None, {"certo": {"versions": [1], "model": True}, "settings": {}}, True),
        ({"certo": {"versions": [1]}}, {"certo": {"model": True}}, True),
        ({"certo": {"versions": [1], "model": "yes"}}, {"certo": True}, False),
        ({"certo": {"versions": [7], "model": True}}, None, False),
        ({"certo": {"model": True}}, None, False),
        ({"other": {"model": True}}, ["certo"], False),
    ],
)
def test_model_is_offered_as_the_editor_says(experimental: object, options: object, offered: bool) -> None:
    told = {"capabilities": {"experimental": experimental}, "initializationOptions": options}
    assert read_client(told).model is offered


@pytest.mark.parametrize(
    ("declared", "lazy", "late"),
    [
        ({"resolveSupport": {"properties": ["edit", "command"]}, "dataSupport": True}, True, False),
        ({"resolveSupport": {"properties": ["command", "disabled"]}, "dataSupport": True}, True, True),
        ({"resolveSupport": {"properties": ["command"]}}, False, False),
        ({"dataSupport": True}, False, False),
    ],
)
def test_actions_are_lazy_if_commands_resolve_later(declared: dict[str, Any], lazy: bool, late: bool) -> None:
    known = client({"textDocument": {"codeAction": declared}})
    assert (known.lazy_actions, known.late_disabled) == (lazy, late)
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    answered = server_capabilities({"textDocument": {"codeAction": declared | literals}})
    assert answered["codeActionProvider"]["resolveProvider"] is lazy  # type: ignore[index]  # it is JSON


@pytest.mark.parametrize(("name", "lazy"), [("helix", False), ("Neovim", True)])
def test_helix_gets_commands_at_once(name: str, lazy: bool) -> None:
    """Helix resolves an action, and then runs the command that the action had before."""
    declared = {"resolveSupport": {"properties": ["edit", "command"]}, "dataSupport": True}
    told = {"clientInfo": {"name": name}, "capabilities": {"textDocument": {"codeAction": declared}}}
    assert read_client(told).lazy_actions is lazy


@pytest.mark.parametrize(("name", "typing"), [(None, False), ("Visual Studio Code", False), ("Neovim", True)])
def test_editors_that_ask_while_typing_are_known(name: str | None, typing: bool) -> None:
    named = {"clientInfo": {"name": name}} if name else {}
    assert read_client({"capabilities": {}, **named}).asks_at_keyboard is typing


def test_parts_of_wrong_types_are_left_out() -> None:
    """The client has its answer and can no longer be refused."""
    wrong = {"window": 7, "workspace": {"applyEdit": True, "codeLens": []}, "textDocument": {"codeAction": "all"}}
    assert read_client({"capabilities": wrong, "clientInfo": {"name": 3}}) == Client(apply_edit=True)
