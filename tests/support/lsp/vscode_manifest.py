"""The parts of the VS Code extension's files that are made from the server's settings; run it to write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from certo.settings.vscode import configuration, restricted

CLIENT = Path(__file__).parents[3] / "vscode-client"
MADE = "setting."
"""What the names of the texts begin with that are made here; the others are written by hand."""

WIDTH = 130
"""How long a list in package.json may be before it has lines of its own."""

_NAMES = """\
// The names of the server's settings. Made by `make schema`; what is changed here is lost.

/** Every setting that the server reads, by its path. */
export const SERVER_SETTINGS: readonly string[] = [
{names}];
"""


def made_files() -> dict[Path, str]:
    """Return the expected text of each file that is made from the server's settings, in whole or in part."""
    manifest, texts = CLIENT / "package.json", CLIENT / "package.nls.json"
    pages, words = _keyed(configuration())
    return {
        manifest: _manifest(manifest.read_text(encoding="utf-8"), pages),
        texts: _texts(json.loads(texts.read_text(encoding="utf-8")), words),
        CLIENT / "src" / "settingNames.ts": _names(pages),
    }


def _keyed(pages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the pages with a key in place of each text that users read, and the texts."""
    words = {}
    for place, key, name in _places(pages):
        words[f"{MADE}{name}"] = place[key]
        place[key] = f"%{MADE}{name}%"
    return pages, words


def _places(pages: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield every text that users read: its object, its key there, and a unique name."""
    for page in pages:
        first = next(iter(page["properties"]))
        yield page, "title", f"page.{first.split('.')[1]}"
        for dotted, schema in page["properties"].items():
            name = dotted.removeprefix("certo.")
            yield schema, "markdownDescription", name
            for key, inner in schema.get("additionalProperties", {}).get("properties", {}).items():
                yield inner, "markdownDescription", f"{name}.each.{key}"


def _manifest(text: str, pages: list[dict[str, Any]]) -> str:
    """Return the text of package.json with these pages after those written by hand."""
    manifest = json.loads(text)
    contributes, trust = manifest["contributes"], manifest["capabilities"]["untrustedWorkspaces"]
    by_hand = [page for page in contributes["configuration"] if not page["title"].startswith(f"%{MADE}")]
    own = [
        name
        for page in by_hand
        for name, schema in page["properties"].items()
        if schema.get("scope") == "machine-overridable"
    ]
    text = _replaced(text, '    "configuration": ', contributes["configuration"], [*by_hand, *pages])
    return _replaced(
        text, '      "restrictedConfigurations": ', trust["restrictedConfigurations"], [*own, *restricted()]
    )


def _replaced(text: str, before: str, old: Any, new: Any) -> str:
    """Return the text with a new value after these words, and all else unchanged to the last space."""
    head, found, rest = text.partition(before)
    assert found, before
    value, end = json.JSONDecoder().raw_decode(rest)
    assert value == old, before
    return f"{head}{before}{_laid_out(new, len(before) - len(before.lstrip()))}{rest[end:]}"


def _laid_out(value: Any, indent: int, *, of: str = "") -> str:
    """Return JSON in the layout of the file: each setting on its own line, and the levels around it indented."""
    line = _on_one_line(value)
    inner = " " * (indent + 2)
    if '"properties"' not in line and of != "properties" and not (isinstance(value, list) and len(line) > WIDTH):
        return line
    if isinstance(value, list):
        opening, closing, parts = "[", "]", [_laid_out(each, indent + 2) for each in value]
    else:
        opening, closing = "{", "}"
        parts = [f"{json.dumps(key)}: {_laid_out(each, indent + 2, of=key)}" for key, each in value.items()]
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * indent}{closing}"


def _on_one_line(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{json.dumps(key)}: {_on_one_line(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_on_one_line, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _texts(texts: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Return package.nls.json with these texts after those written by hand."""
    by_hand = {name: text for name, text in texts.items() if not name.startswith(MADE)}
    return json.dumps({**by_hand, **words}, indent=4, ensure_ascii=False) + "\n"


def _names(pages: list[dict[str, Any]]) -> str:
    names = [name.removeprefix("certo.") for page in pages for name in page["properties"]]
    return _NAMES.format(names="".join(f"    {json.dumps(name)},\n" for name in names))


if __name__ == "__main__":
    for path, wanted in made_files().items():
        path.write_text(wanted, encoding="utf-8")
