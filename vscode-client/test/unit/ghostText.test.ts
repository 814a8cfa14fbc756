// Which changes can be shown as ghost text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ghostTextOf } from "../../src/searches/ghostText";
import type { GhostText } from "../../src/searches/ghostText";

const LINES = ["def f(x):", "    return x", ""];

function ghost(...hunks: { line: number; removed: string[]; added: string[] }[]): GhostText | undefined {
    return ghostTextOf(hunks, (line) => LINES[line] ?? "");
}

test("what adds to one line is ghost text", () => {
    assert.deepEqual(ghost({ line: 2, removed: ["    return x\n"], added: ["    return abs(x)\r\n"] }), {
        line: 1,
        before: "    return x",
        after: "    return abs(x)",
    });
});

test("new lines stand behind the one above", () => {
    const added = ["    if not x:\n", "        return 0\n"];
    const after = "def f(x):\n    if not x:\n        return 0";
    assert.deepEqual(ghost({ line: 2, removed: [], added }), { line: 0, before: "def f(x):", after });
    assert.equal(ghost({ line: 1, removed: [], added }), undefined);
});

test("what takes something away is none, nor what changes two places", () => {
    const one = { line: 2, removed: ["    return x\n"], added: ["    return abs(x)\n"] };
    assert.equal(ghost({ ...one, added: ["    return y\n"] }), undefined);
    assert.equal(ghost({ ...one, added: [] }), undefined);
    assert.equal(ghost({ ...one, removed: ["    return x\n", "\n"] }), undefined);
    assert.equal(ghost(one, one), undefined);
    assert.equal(ghost(), undefined);
});
