"""A client in TypeScript can be written with the types of the protocol."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from certo.protocol.schema import document
from certo.protocol.typescript import typescript
from certo.settings.documents import json_schema

COMPILER = Path(__file__).parents[2] / ".artefacts" / "lsp-client" / "node_modules" / "typescript" / "bin" / "tsc"

USE = """\
import { ERRORS, VERSIONS, type AnyEvent, type Asking, type Commands, type ErrorName, type Settings } from "./protocol";

export function inWords(event: AnyEvent): string {
  switch (event.type) {
    case "verdict":
      return event.verdict.tests === null ? event.verdict.ruling : String(event.verdict.tests.newlyPassing);
    case "search.stopped":
      return event.winner?.diff ?? event.sentence;
    default:
      return String(event.seq);
  }
}

export function command<Name extends keyof Commands>(name: Name, argument: Commands[Name]["argument"]): unknown {
  return { command: name, arguments: [argument] };
}

export const asking: Asking = { certo: { versions: [...VERSIONS], secrets: true } };
export const settings: Settings = { search: { seconds: 20 }, models: { cheap: { name: "ollama:qwen" } } };
export const stale: number = ERRORS["StaleText" satisfies ErrorName];
command("certo.cancel", { searchId: "5f0c2a9e" });
// @ts-expect-error: it has to say which search
command("certo.cancel", {});
// @ts-expect-error: there is no such setting
export const wrong: Settings = { search: { minutes: 1 } };
"""


@pytest.mark.editors
def test_types_compile_and_allow_only_valid_messages(tmp_path: Path) -> None:
    assert COMPILER.is_file(), "install it: make lsp-client"
    (tmp_path / "protocol.ts").write_text(typescript(document(json_schema())))
    (tmp_path / "use.ts").write_text(USE)
    options = ("--strict", "--noEmit", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "es2022")
    options += ("--moduleResolution", "bundler")
    ran = subprocess.run(
        ["node", COMPILER, *options, "use.ts"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
    )
    assert ran.returncode == 0, ran.stdout
