// What the Testing view says of single tests: never that one passed which was not run.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { KnownTest, TestEvidence, Verdict } from "../../src/protocol";
import { resultsOf } from "../../src/views/testResults";

const KNOWN: readonly KnownTest[] = [
    "t.py::test_a",
    "t.py::test_ab",
    "t.py::test_b[1: 2]",
    "doctest:total:4",
    "example 1",
].map((id) => ({ id, ruling: "failed", message: "", seconds: 0 }));

function verdict(verifier: string, ruling: Verdict["ruling"], passed: number, more: Partial<TestEvidence>): Verdict {
    const evidence = { collected: 3, ran: 3, passed, failed: 0, skipped: 0, newlyPassing: 0, seconds: 0, cold: "" };
    const tests: TestEvidence = { ...evidence, touched: true, isolation: "", failing: [], unrun: [], ...more };
    return { verifier, ruling, findings: [], seconds: 0, tests, assurance: "", votes: null };
}

function outcomes(...verdicts: Verdict[]): string[] {
    return resultsOf(KNOWN, verdicts).map(({ id, outcome }) => `${id} ${outcome}`);
}

test("tests that no verifier has run have no result", () => {
    assert.deepEqual(outcomes(), []);
    assert.deepEqual(outcomes(verdict("doctests", "passed", 2, {})), ["doctest:total:4 passed", "example 1 passed"]);
});

test("what failed and what did not run is told apart from what passed", () => {
    const found = outcomes(verdict("tests", "failed", 1, { failing: ["t.py::test_a"], unrun: ["t.py::test_b[1: 2]"] }));
    assert.deepEqual(found, ["t.py::test_a failed", "t.py::test_ab passed", "t.py::test_b[1: 2] skipped"]);
});

test("a run that is refused although its tests are green has none that passed", () => {
    const found = outcomes(verdict("tests", "failed", 3, {}));
    assert.ok(found.every((each) => each.endsWith(" skipped")));
});

test("evidence with numbers only has no test that passed", () => {
    const found = outcomes(verdict("tests", "failed", 2, { failed: 1, failing: undefined, unrun: undefined }));
    assert.ok(found.every((each) => each.endsWith(" skipped")));
    const green = outcomes(verdict("tests", "passed", 2, {}));
    assert.ok(green.every((each) => each.endsWith(" skipped")));
});

test("a reason belongs to the test with the longest name that it begins with", () => {
    const findings = [
        { message: "t.py::test_ab: assert 1 == 2", line: 4 },
        { message: "t.py::test_a ended the whole process", line: null },
        { message: "t.py::test_b[1: 2]: assert 3", line: null },
    ];
    const failing = ["t.py::test_a", "t.py::test_ab", "t.py::test_b[1: 2]"];
    const found = resultsOf(KNOWN, [{ ...verdict("tests", "failed", 0, { failing }), findings }]);
    assert.deepEqual(
        found.map((each) => each.reasons),
        [
            [{ text: "ended the whole process", line: null }],
            [{ text: "assert 1 == 2", line: 4 }],
            [{ text: "assert 3", line: null }],
        ],
    );
});
