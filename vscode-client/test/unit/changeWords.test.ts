// What a candidate changes, in few words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { changeInShort } from "../../src/searches/changeWords";
import { ENGLISH } from "./told";

function said(removed: readonly string[], added: readonly string[]): string {
    const hunks = [{ line: 35, removed: [...removed], added: [...added] }];
    return changeInShort({ hunks }, ENGLISH).replace("line 35: ", "");
}

test("one changed line is reduced to what differs with its operands", () => {
    for (const [before, after, words] of [
        ["    return half + 1", "    return half - 1", "half + 1 → half - 1"],
        ["    low = 0", "    low = min(values)", "low = 0 → low = min(values)"],
        ["    if a < b:", "    if a <= b:", "a < b → a <= b"],
        ["    return f(x) / g(x)", "    return f(x) // g(x)", "return f(x) / g(x) → return f(x) // g(x)"],
        ["    raise NotImplementedError", "    return sum(values)", "return sum(values)"],
    ] as const) {
        assert.equal(said([before], [after]), words);
    }
});

test("more lines are told by the first that does something", () => {
    assert.equal(said(["    ..."], ["    import math", "", "    return math.pi"]), "return math.pi …");
    assert.equal(said(["    x = 1"], []), "x = 1 left out");
    assert.equal(changeInShort({ hunks: [] }, ENGLISH), "");
});
