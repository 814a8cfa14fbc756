// What a candidate makes of a text that went on changing.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Hunk } from "../../src/protocol";
import { originalOf, carried, sameText, withHunks } from "../../src/review/carried";

const BASE = "import a\n\ndef f(x):\n    low = 0\n    # note\n    high = 0\n    return low\n\nend = 1\n";
const HUNKS: readonly Hunk[] = [
    { line: 4, removed: ["    low = 0\n"], added: ["    low = min(x)\n", "    low += 1\n"] },
    { line: 6, removed: ["    high = 0\n"], added: [] },
];
const MADE = BASE.replace("    low = 0\n", "    low = min(x)\n    low += 1\n").replace("    high = 0\n", "");

test("a candidate's hunks put into the base make its text, and taken out of it the base", () => {
    assert.equal(withHunks(BASE, HUNKS), MADE);
    assert.equal(originalOf(MADE, HUNKS), BASE);
});

test("a last line without a break is kept so", () => {
    const hunk: Hunk = { line: 2, removed: ["    ..."], added: ["    return 1"] };
    assert.equal(withHunks("def f():\n    ...", [hunk]), "def f():\n    return 1");
    assert.equal(originalOf("def f():\n    return 1", [hunk]), "def f():\n    ...");
});

test("what was changed above moves the hunks, what was changed below does not", () => {
    assert.equal(carried(BASE, `import b\n${BASE}`, HUNKS), `import b\n${MADE}`);
    assert.equal(
        carried(BASE, BASE.replace("end = 1", "end = 2\nmore = 3"), HUNKS),
        MADE.replace("end = 1", "end = 2\nmore = 3"),
    );
});

test("what was changed between two hunks leaves each at its side", () => {
    const now = BASE.replace("# note", "# a note\n    # of two lines");
    assert.equal(carried(BASE, now, HUNKS), MADE.replace("# note", "# a note\n    # of two lines"));
});

test("what was changed where the candidate changes it is not for us to say", () => {
    assert.equal(carried(BASE, BASE.replace("low = 0", "low = 2"), HUNKS), undefined);
    assert.equal(carried(BASE, BASE.replace("import a", "import b").replace("end = 1", "end = 2"), HUNKS), undefined);
});

test("how lines are broken makes no difference", () => {
    assert.ok(sameText("a\r\nb\n", "a\nb\n"));
    assert.ok(!sameText("a\nb", "a\nb\n"));
    assert.equal(carried(BASE, BASE.replaceAll("\n", "\r\n"), HUNKS)?.includes("low = min(x)"), true);
});
