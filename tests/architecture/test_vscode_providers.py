"""The VS Code client offers the providers that the server knows, each with the name of its key."""

from __future__ import annotations

import re

from certo.llm.providers import PROVIDERS
from support.lsp.vscode_manifest import CLIENT

ENTRY = re.compile(r'id: "(?P<id>\w+)",\s+label: "[^"]+",\s+key: "(?P<key>\w*)"')


def test_the_providers_are_those_of_the_server():
    text = (CLIENT / "src" / "daemon" / "providers.ts").read_text(encoding="utf-8")
    offered = {entry["id"]: entry["key"] for entry in ENTRY.finditer(text)}
    assert offered == {provider.name: provider.key_variable for provider in PROVIDERS.values()}
