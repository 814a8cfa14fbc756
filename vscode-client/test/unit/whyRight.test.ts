// Why a candidate is right: the server's `test_why_right.py` has the same sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Hunk, KnownTest } from "../../src/protocol";
import { cardOf } from "../../src/searches/card";
import type { Search } from "../../src/searches/state";
import { below, rowOf } from "../../src/searches/tree";
import { rightInShort, whyRight, wrongInShort } from "../../src/searches/whyRight";
import { ENGLISH, fresh, hears, proposes, ranks, rules, scores, tests, the } from "./told";
import type { Told } from "./told";

const HUNK: Hunk = { line: 2, removed: ["    while due > 1:\n"], added: ["    while due >= 1:\n"] };

function failing(id: string, message: string): KnownTest {
    return { id, ruling: "failed", message, seconds: 0 };
}

/** A search whose only candidate is verified, after these tests had failed. */
function verified(hunks: Hunk[] = [HUNK], ...red: KnownTest[]): Search {
    const search = hears(fresh(), { ...proposes("a"), hunks } as Told, rules("a", "syntax", "passed"));
    hears(search, tests("a", 2, 2), scores("a", 2), ranks("a", 1));
    const known = red.length > 0 ? red : [failing("tests/test_coins.py::test_exact", "assert [50] == [50, 1]")];
    search.baseline = { tests: known, setAside: [], problems: [], policy: "strict", needs: "" };
    return search;
}

function said(search: Search): string {
    return whyRight(search, the(search, "a"), ENGLISH).join(" ");
}

test("the failure, the change and the tests that show it are told", () => {
    const search = verified();
    hears(search, rules("a", "evidence", "passed", { dependence: { noticed: 1 } }));
    assert.equal(
        said(search),
        "test_exact failed: assert [50] == [50, 1]. Line 2 was `while due > 1:`, and is now `while due >= 1:`. " +
            "1 test that failed passes now and 1 test passes as before; 1 test notices a wrong version of it. " +
            "Calls that these tests do not make were not checked.",
    );
});

test("calls that can be named stand elsewhere, and what is not verified has no reasons", () => {
    const search = verified();
    const strength = { noticed: 1, of: 1, tried: 1, possible: 1 };
    hears(search, { type: "strength.measured", candidateId: "a", strength });
    assert.ok(!said(search).includes("not checked"));
    the(search, "a").verified = false;
    assert.equal(said(search), "");
});

test("changed lines are told by their text, or their number", () => {
    const changes: [Hunk[], string][] = [
        [[{ line: 3, removed: [], added: ["    n += 1\n"] }], "Line 3 is new: `n += 1`."],
        [[{ line: 3, removed: ["    n += 1\n"], added: [] }], "Line 3 was `n += 1`, and is gone."],
        [
            [{ line: 3, removed: ["a\n"], added: ["b\n", "c\n"] }],
            "The candidate changes 2 lines between line 3 and line 4.",
        ],
    ];
    for (const [hunks, words] of changes) assert.ok(said(verified(hunks)).includes(words), words);
});

test("the suspicion of changed lines is told, of two lines and of another file too", () => {
    const search = verified();
    const candidate = the(search, "a");
    Object.assign(candidate, { origin: { ...candidate.origin, suspicion: 0.7071 } });
    assert.match(said(search), / Line 2 \(suspicion 0\.71 of 1\) was `while due > 1:`, and is now /u);
    const there = { line: 5, removed: ["b\n"], added: ["c\n"] };
    Object.assign(candidate, { elsewhere: [{ path: "till.py", before: "", after: "", diff: "", hunks: [there] }] });
    assert.match(
        said(search),
        / Line 2 was .*; line 5 of till\.py was `b`, and is now `c` \(suspicion up to 0\.71 of 1\)\./u,
    );
});

test("of a failure the two values are told, and how many other tests failed", () => {
    const long = "assert [2, 2] == [4], At index 0 diff: 2 != 4, Left contains one more item: 2";
    const search = verified([HUNK], failing("t.py::TestTill::test_b", long), failing("t.py::test_c", ""));
    assert.match(said(search), /^TestTill\.test_b failed: assert \[2, 2\] == \[4\]; so did 1 other test\. Line 2 /u);
});

test("an example is called by its line, as people see it", () => {
    const search = verified([HUNK], failing("doctest:change:3", "change(1) gave 1, not 0."));
    assert.match(said(search), /^The example on line 3 failed: change\(1\) gave 1, not 0\. Line 2 /u);
});

test("behind the code stand the two values, and how many tests pass", () => {
    const search = verified();
    assert.equal(wrongInShort(search, ENGLISH), "before: assert [50] == [50, 1]");
    assert.equal(rightInShort(the(search, "a"), ENGLISH), "now: 2 tests pass, 1 newly");
    the(search, "a").verified = false;
    assert.equal(rightInShort(the(search, "a"), ENGLISH), "");
});

test("the card and the tree tell the same in the same order, and passed checks share a line", () => {
    const search = verified();
    const strength = { noticed: 9, of: 11, tried: 12, possible: 12 };
    hears(search, { type: "candidate.compared", candidateId: "a", standing: { agreeing: 2 } });
    hears(search, { type: "strength.measured", candidateId: "a", strength });
    const card = cardOf(search, the(search, "a"), true, ENGLISH);
    const order = [
        "*change:*",
        "*why:* test",
        "*others:*",
        "*strength:*",
        "✓ syntax, tests 2/2 (1 newly)",
        "[Accept]",
        "*cost",
    ];
    const places = order.map((words) => card.indexOf(words));
    assert.ok(!places.includes(-1), card);
    assert.deepEqual(
        places,
        [...places].sort((one, other) => one - other),
    );
    const [candidate] = below(search, rowOf(search));
    assert.ok(candidate !== undefined);
    assert.deepEqual(
        below(search, candidate).map(({ kind }) => kind),
        ["before", "others", "strength", "checks"],
    );
});

test("a check that has more to say than its numbers has a line of its own", () => {
    const search = verified();
    const idle = { noticed: 0, reason: "no test depends on what it returns" };
    hears(search, rules("a", "evidence", "passed", { dependence: idle }));
    const card = cardOf(search, the(search, "a"), false, ENGLISH);
    assert.match(card, /^\? evidence: no test depends on what it returns/mu);
    assert.match(card, /^✓ syntax, tests 2\/2 \(1 newly\)/mu);
});
