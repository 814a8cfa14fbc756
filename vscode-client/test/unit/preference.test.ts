// Which of two candidates is recommended, and why.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pairTitle } from "../../src/review/titles";
import { preferenceInWords } from "../../src/searches/preference";
import type { Search } from "../../src/searches/state";
import { ENGLISH, fresh, hears, proposes, ranks, scores, tests, the } from "./told";
import type { Told } from "./told";

/** Two candidates that passed, the second of which is ranked first. */
function two(...more: Told[]): Search {
    const both = [proposes("a"), tests("a", 2, 2), scores("a", 5), proposes("b"), tests("b", 2, 2), scores("b", 2)];
    return hears(fresh(), ...both, ranks("a", 1), ranks("b", 1), ...more);
}

function said(search: Search): string {
    return preferenceInWords(the(search, "a"), the(search, "b"), ENGLISH);
}

test("the smaller of two candidates that pass is recommended", () => {
    const search = two();
    assert.equal(said(search), "Recommended is #2: 2 tokens changed, against 5 tokens changed.");
    assert.equal(pairTitle(search, the(search, "a"), the(search, "b"), ENGLISH), "total: #1 ✓ ↔ #2 ✓ recommended");
});

test("what the server ranks by first is the reason", () => {
    const stands = (candidateId: string, agreeing: number, group: number): Told => ({
        type: "candidate.compared",
        candidateId,
        standing: { agreeing, compared: 4, group, rivalOf: null, difference: null },
    });
    const voted = two(stands("a", 1, 2), stands("b", 3, 1));
    assert.equal(said(voted), "Recommended is #2: 3 of 4 candidates agree with it, 1 with #1.");
    assert.equal(said(two(scores("a", 5, false))), "Recommended is #2: #1 is not verified.");
});

test("a candidate that failed is not recommended", () => {
    const failed = [proposes("c"), tests("c", 1, 2), scores("c", null)];
    const search = hears(two(), ...failed);
    assert.equal(preferenceInWords(the(search, "a"), the(search, "c"), ENGLISH), "Recommended is #1: #3 did not pass.");
    const none = hears(fresh(), ...failed, proposes("d"));
    assert.equal(preferenceInWords(the(none, "c"), the(none, "d"), ENGLISH), "");
});
