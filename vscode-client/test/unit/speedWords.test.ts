// What is said of a measured speed, in the card and in the tree.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Speed, Verdict } from "../../src/protocol";
import { evidence } from "../../src/searches/checks";
import { speedInShort, speedInWords } from "../../src/searches/speedWords";
import { verdictInShort } from "../../src/searches/words";
import { ENGLISH } from "./told";

const SPEED: Speed = {
    ratio: 49.83,
    low: 45.6,
    high: 52.1,
    control: 1,
    rounds: 8,
    scale: 128,
    observed: 0.83,
    growth: { before: 1.94, after: 1.1 },
};

const SAID = [
    "49.8 times as fast on calls 128 times as large as known ones (99 % confidence: at least 45.6, at most 52.1)",
    "SLOWER on calls of their own size: 0.83 times as fast",
    "time grows like n^1.1, before n^1.9",
    "8 rounds, in which a copy of the original was 1.00 times as fast",
];

const PASSED: Verdict = {
    verifier: "speed",
    ruling: "passed",
    seconds: 5,
    tests: null,
    votes: null,
    findings: [],
    assurance: "",
    speed: SPEED,
};

void test("a speed has its bounds, its own size, its growth and its control", () => {
    assert.deepEqual(speedInWords(SPEED, ENGLISH), SAID);
    assert.equal(evidence(PASSED, "", ENGLISH), SAID.join("; "));
});

void test("the row of the check says first what is slower", () => {
    const short = "49.8 times as fast, at least 45.6, SLOWER on small calls";
    assert.equal(speedInShort(SPEED, ENGLISH), short);
    assert.equal(verdictInShort(PASSED, ENGLISH), short);
    assert.equal(speedInShort({ ...SPEED, observed: 1.5 }, ENGLISH), "49.8 times as fast, at least 45.6");
});

void test("a candidate that is not faster shows its finding alone", () => {
    const failed: Verdict = {
        ...PASSED,
        ruling: "failed",
        findings: [{ message: "not measurably faster", line: null }],
    };
    assert.equal(evidence(failed, "", ENGLISH), "not measurably faster");
});

void test("small calls that are about as fast are not called slower", () => {
    assert.equal(
        speedInWords({ ...SPEED, observed: 0.97 }, ENGLISH)[1],
        "about as fast on calls of their own size: 0.97 times",
    );
    assert.deepEqual(speedInWords({ ...SPEED, scale: 1, observed: null, growth: null }, ENGLISH), [
        "49.8 times as fast on known calls (99 % confidence: at least 45.6, at most 52.1)",
        SAID[3],
    ]);
});
