// Words of others do nothing, wherever VS Code would make something of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inert, visible, visibleIn } from "../../src/inert";

/** What VS Code takes for a link in a message, and for an icon in a label. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/iu;
const ICON = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/iu;

test("a link in a message of a test is no link any more, and reads as it did", () => {
    const words = "assert '[More](command:workbench.action.terminal.new)' == ''";
    assert.match(words, LINK);
    assert.doesNotMatch(inert(words), LINK);
    assert.equal(inert(words).replaceAll("\u200b", ""), words);
});

test("code that looks like an icon is no icon", () => {
    assert.match('run("$(trash)")', ICON);
    assert.doesNotMatch(inert('run("$(trash)")'), ICON);
});

test("other words stay as they are", () => {
    for (const words of ["", "total([1, 2]) == 3", "$5 (or more)", "✓ 14/14 tests"]) assert.equal(inert(words), words);
});

test("what is not seen, or changes how the rest looks, is written out", () => {
    assert.equal(
        visible("\u001b[2Jif access\u202e\u2066 # \u200bno\u0085\u{e0041}"),
        "\\x1b[2Jif access\\u202e\\u2066 # \\u200bno\\x85\\U000e0041",
    );
    assert.equal(visible("a\r\nb\rc\td é 😀"), "a\nb\nc\td é 😀");
    assert.equal(inert("\u202eevil"), "\\u202eevil");
});

test("no text in what a page is told is other than it looks", () => {
    assert.deepEqual(visibleIn({ at: [1, null, { said: "a\u202eb" }], live: true }), {
        at: [1, null, { said: "a\\u202eb" }],
        live: true,
    });
});
