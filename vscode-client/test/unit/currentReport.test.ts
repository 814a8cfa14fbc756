// The report on a function as it stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { CurrentReport, Verdict } from "../../src/protocol";
import { reportOn, verdictOn } from "../../src/searches/currentReport";
import { ENGLISH } from "./told";

function tests(passed: number, failed: number): Verdict {
    return {
        verifier: "tests",
        ruling: failed === 0 ? "passed" : "failed",
        findings: failed === 0 ? [] : [{ message: "test_total:\n assert 5 == 6", line: null }],
        seconds: 0.8,
        tests: {
            collected: passed + failed,
            ran: passed + failed,
            passed,
            failed,
            skipped: 0,
            newlyPassing: 0,
            seconds: 0.8,
            touched: null,
            isolation: "bubblewrap, no network",
            cold: "",
        },
        assurance: "",
        votes: null,
    };
}

function report(verdicts: Verdict[], verified: boolean): CurrentReport {
    const passed = verdicts.every((each) => each.ruling === "passed");
    return {
        root: "/shop",
        path: "till.py",
        qualname: "Till.total",
        line: 11,
        verified,
        evidence: { candidateId: "a", verdicts, passed, verified, caveat: verified ? "" : "no test exercised it" },
        baseline: {
            tests: [{ id: "test_till.py::test_total", ruling: "passed", message: "", seconds: 0.01 }],
            setAside: [{ id: "test_till.py::test_net", ruling: "failed", message: "needs | the network", seconds: 2 }],
            problems: ["test_old.py cannot be imported"],
            policy: "strict",
            needs: "",
        },
        seconds: 1.2,
    };
}

test("only what tests ran is called verified", () => {
    assert.match(verdictOn(report([tests(14, 0)], true), ENGLISH), /^✓ The current Till\.total is verified: 14 /u);
    assert.match(
        verdictOn(report([], false), ENGLISH),
        /^\? Till\.total is not verified: .* but no test exercised it\.$/u,
    );
    const failed = verdictOn(report([tests(13, 1)], false), ENGLISH);
    assert.equal(failed, "✗ The current Till.total does not pass: tests: test_total: assert 5 == 6.");
});

test("a test that failed is named as people name it, and an example by its call", () => {
    const failed = { ...tests(0, 1), findings: [{ message: "doctest:total:4: total([]) raised KeyError", line: 4 }] };
    const all = report([failed], false);
    const known = { ruling: "failed" as const, message: "", seconds: 0.01 };
    const example = { ...all, baseline: { ...all.baseline, tests: [{ id: "doctest:total:4", ...known }] } };
    assert.equal(verdictOn(example, ENGLISH), "✗ The current Till.total does not pass: total([]) raised KeyError.");
    const message = "test_till.py::TestTill::test_total: assert 5 == 6";
    const named = report([{ ...failed, findings: [{ message, line: null }] }], false);
    assert.equal(verdictOn(named, ENGLISH), "✗ The current Till.total does not pass: test_total: assert 5 == 6.");
});

test("the report names every test, and those that do not count with the reason", () => {
    const text = reportOn(report([tests(14, 0)], true), ENGLISH);
    assert.match(text, /`test_till\.py::test_total`/u);
    assert.match(text, /## Tests set aside\n\n\| test/u);
    assert.match(text, /needs `\\\|` the network/u);
    assert.match(text, /`test_old\.py` cannot be imported/u);
    assert.equal(text.split("bubblewrap").length, 2, "how it was confined is said once");
});

test("a report leaves out what there is none of", () => {
    const bare = report([tests(14, 0)], true);
    const text = reportOn({ ...bare, baseline: { ...bare.baseline, setAside: [], problems: [] } }, ENGLISH);
    assert.doesNotMatch(text, /do not count|To know/u);
});
