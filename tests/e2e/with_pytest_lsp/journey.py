"""The main job through pytest-lsp's own client, with the capabilities it recorded from three editors.

This client is pygls at both ends, so it cannot tell what pygls gets wrong twice; `test_editors.py` checks every frame
against the metamodel instead. This one adds a client that nobody here wrote. `test_pytest_lsp.py` runs this file.
"""

from __future__ import annotations

import ast
import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from support.projects.shop import build_shop


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[sys.executable, "-m", "certo", "serve"]),
)
async def client(lsp_client: LanguageClient, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    capabilities = client_capabilities(request.param)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_the_main_job(client: LanguageClient, tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    text, uri = (root / "shop.py").read_text(), (root / "shop.py").as_uri()
    line = text[: text.index("def triple")].count("\n")
    here = types.Range(types.Position(line, 5), types.Position(line, 5))
    document = types.TextDocumentIdentifier(uri)
    opened = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
    applied: asyncio.Future[types.ApplyWorkspaceEditParams] = asyncio.get_running_loop().create_future()

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    async def register(_params: types.RegistrationParams) -> None:
        return None

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    async def refresh(_params: None) -> None:
        return None

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    async def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        applied.set_result(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    async def choose(words: str) -> object:
        context = types.CodeActionContext(diagnostics=[], trigger_kind=types.CodeActionTriggerKind.Invoked)
        offers = await client.text_document_code_action_async(types.CodeActionParams(document, here, context))
        (action,) = [each for each in offers or [] if words in each.title]
        if isinstance(action, types.CodeAction):
            whole = (await client.code_action_resolve_async(action)).command
            assert whole is not None
            asked = types.ExecuteCommandParams(command=whole.command, arguments=whole.arguments)
        else:
            # lsprotocol 2025.0.0 reads a code action as a command that is named by the whole of its own command.
            command = ast.literal_eval(str(action.command)) if action.arguments is None else vars(action)
            asked = types.ExecuteCommandParams(command=command["command"], arguments=command["arguments"])
        return await client.workspace_execute_command_async(asked)

    asked: asyncio.Future[types.ShowMessageRequestParams] = asyncio.get_running_loop().create_future()

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    async def ask(params: types.ShowMessageRequestParams) -> None:
        asked.set_result(params)

    told = asyncio.ensure_future(client.wait_for_notification(types.WINDOW_SHOW_MESSAGE))
    await choose("repair `triple` until its tests pass")
    (ended, *_), _ = await asyncio.wait({asked, told}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    assert "verified by 1 test" in ended.result().message
    hover = await client.text_document_hover_async(types.HoverParams(document, here.start))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "Candidate #1 for triple" in hover.contents.value
    await choose("accept #1")
    edit = (await applied).edit
    changes = edit.changes[uri] if edit.changes else edit.document_changes[0].edits
    assert changes
