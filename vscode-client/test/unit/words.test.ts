// What is said of candidates and of searches.

import assert from "node:assert/strict";
import { test } from "node:test";

import { duration, explained, models, money, plain, priced } from "../../src/searches/amounts";
import { cardOf } from "../../src/searches/card";
import { endOf } from "../../src/searches/endWords";
import {
    baselineLine,
    callOf,
    fateOf,
    isResumable,
    isUntested,
    progressInShort,
    progressLine,
    stateLine,
    why,
} from "../../src/searches/searchWords";
import {
    besideInWords,
    objection,
    scoreInRow,
    scoreLine,
    scoreParts,
    shortScore,
    standingInWords,
    standingOf,
    verdictInShort,
} from "../../src/searches/words";
import { ENGLISH, fresh, hears, proposes, ranks, rules, scores, tests, the } from "./told";
import type { Told } from "./told";

const BUDGET = { candidates: 8, seconds: 60, calls: null, tokens: null, dollars: null };
const SPENT = { candidates: 1, seconds: 4.2, calls: 0, tokens: 0, dollars: 0 };

function started(red: number, all: number): Told {
    const known = Array.from({ length: all }, (_, index) => ({
        id: `tests/test_till.py::test_${index}`,
        ruling: index < red ? ("failed" as const) : ("passed" as const),
        message: "",
        seconds: 0.01,
    }));
    return {
        type: "search.started",
        root: "/shop",
        path: "till.py",
        qualname: "total",
        second: "",
        line: 1,
        goal: "repair",
        generator: "scripted",
        strategy: "retry",
        verifiers: ["tests"],
        budget: BUDGET,
        baseline: { tests: known, setAside: [], problems: [], policy: "strict", needs: "" },
    };
}

test("what was proved of a candidate is said in a line, and nothing else", () => {
    const search = hears(
        fresh(),
        proposes("a"),
        rules("a", "syntax", "passed"),
        tests("a", 14, 14),
        rules("a", "types", "passed"),
        rules("a", "judge", "passed", { votes: { passed: 4, valid: 5, asked: 5, needed: 3 } }),
        scores("a", 1.2),
    );
    assert.equal(scoreLine(the(search, "a"), ENGLISH), "✓ 14/14 tests · types ok · judge 4/5 · 1.2 tokens changed");
    assert.equal(shortScore(the(search, "a"), ENGLISH), "14/14 tests · 1.2 tokens changed");
});

test("a search that another follows asks nothing of its user", () => {
    const stopped: Told = {
        type: "search.stopped",
        outcome: "exhausted",
        sentence: "The generator has no candidate to propose.",
        reason: "tried 20 edits",
        verified: false,
        winner: null,
        spent: SPENT,
    };
    const alone = endOf(hears(fresh(), stopped), ENGLISH);
    assert.deepEqual([alone?.kind, alone?.choices.length], ["empty", 1]);
    const followed = endOf(hears(fresh(), { ...stopped, followedBy: "0b5e" }), ENGLISH);
    assert.deepEqual([followed?.kind, followed?.choices.length], ["found", 0]);
    assert.match(followed?.sentence ?? "", /Tried 20 edits\. Searching the next suspect\.$/);
});

test("a candidate that was not tried apart from its tests says so", () => {
    const scored = { ...scores("a", 2), caveat: "not tried apart from the tests: it hangs" } as Told;
    const search = hears(fresh(), proposes("a"), tests("a", 3, 3), scored);
    assert.equal(standingInWords(standingOf(the(search, "a")), ENGLISH), "verified, not tried apart");
    assert.match(scoreLine(the(search, "a"), ENGLISH), /^✓ .*not tried apart · 2 tokens changed$/u);
});

test("candidates that passed say how they act beside the others", () => {
    const difference = { call: "median([1, 2, 6])", ours: "3.0", theirs: "2" };
    const search = hears(
        fresh(),
        ...["a", "b", "c", "d"].flatMap((id) => [proposes(id), tests(id, 3, 3), scores(id, 2)]),
        { type: "candidate.compared", candidateId: "a", standing: { agreeing: 2 } },
        { type: "candidate.compared", candidateId: "b", standing: { agreeing: 1, rivalOf: "a", difference } },
        { type: "candidate.compared", candidateId: "c", standing: { uncompared: "at most 12 are compared" } },
    );
    const rows = ["a", "b", "c", "d"].map((id) => scoreInRow(the(search, id), false, ENGLISH).at(-1));
    assert.deepEqual(rows, ["2 behave alike", "behaves differently", "not compared", "2 tokens changed"]);
    const others = ["a", "b", "c", "d"].map((id) =>
        /\*others:\* (.*)/u.exec(cardOf(search, the(search, id), false, ENGLISH))?.[1]?.trim(),
    );
    assert.deepEqual(others, [
        "2 candidates behave alike, including this one",
        "behaves differently: `median([1, 2, 6])` gives 3.0, and 2 with #1",
        "not compared: at most 12 are compared",
        undefined,
    ]);
});

test("the best candidate says how many agree, and on which call the others differ", () => {
    const search = hears(fresh(), ...["a", "b"].flatMap((id) => [proposes(id), tests(id, 3, 3), scores(id, 2)]));
    hears(search, ranks("a", 1), ranks("b", 2));
    const call = "median([1, 2, 6])";
    [
        { id: "a", agreeing: 2, group: 1, result: "2" },
        { id: "b", agreeing: 1, group: 2, result: "3.0" },
    ].forEach(({ id, agreeing, group, result }) => {
        const standing = { agreeing, group, compared: 3, observations: [{ call, result }] };
        hears(search, { type: "candidate.compared", candidateId: id, standing });
    });
    assert.equal(
        besideInWords(search, the(search, "a"), ENGLISH),
        "2 of 3 candidates agree; on median([1, 2, 6]): 2 here, 3.0 with #2",
    );
});

test("a candidate that no test exercised is not called verified", () => {
    const search = hears(fresh(), proposes("a"), tests("a", 3, 3), scores("a", 2, false));
    assert.equal(scoreLine(the(search, "a"), ENGLISH), "? not verified · 2 tokens changed");
});

test("a candidate that failed names what it failed at", () => {
    const search = hears(
        fresh(),
        proposes("a"),
        tests("a", 12, 14, { findings: [{ message: "test_total:\n  assert 5 == 6", line: null }] }),
        scores("a", null),
        proposes("b"),
        rules("b", "types", "failed"),
        scores("b", null),
        proposes("c"),
        rules("c", "tests", "undecided"),
        scores("c", null),
    );
    assert.equal(scoreLine(the(search, "a"), ENGLISH), "✗ tests 12/14");
    assert.equal(objection(the(search, "a")), "tests: test_total: assert 5 == 6");
    assert.equal(scoreLine(the(search, "b"), ENGLISH), "✗ types");
    assert.equal(scoreLine(the(search, "c"), ENGLISH), "? tests undecided");
    assert.equal(standingOf(the(search, "c")), "undecided");
});

test("a check that passed says what that shows", () => {
    const search = hears(
        fresh(),
        proposes("a"),
        rules("a", "policy", "passed"),
        rules("a", "evidence", "passed", { dependence: { noticed: 2 } }),
        rules("a", "other", "passed", { dependence: { noticed: 0, reason: "no test depends on it" } }),
    );
    assert.deepEqual(
        the(search, "a").verdicts.map((verdict) => verdictInShort(verdict, ENGLISH)),
        ["uses nothing new", "its tests depend on what it does", "no test depends on it"],
    );
});

test("votes are shown as they come", () => {
    const search = hears(fresh(), proposes("a"));
    const vote = { type: "vote", candidateId: "a", criterion: "clarity", reason: "" } as const;
    assert.equal(scoreLine(the(search, "a"), ENGLISH), "… waiting to be checked");
    hears(search, { type: "verifier.started", candidateId: "a", verifier: "clarity" });
    assert.equal(scoreLine(the(search, "a"), ENGLISH), "… checking clarity");
    hears(search, { ...vote, number: 0, value: true }, { ...vote, number: 1, value: false });
    assert.equal(scoreLine(the(search, "a"), ENGLISH), "… checking clarity ●○");
});

test("a running search says how far it is", () => {
    const search = fresh();
    assert.equal(progressLine(search, ENGLISH), "starting");
    hears(search, { type: "search.preparing", message: "finding the interpreter" });
    assert.equal(progressLine(search, ENGLISH), "finding the interpreter");
    assert.equal(progressInShort(search), "");
    hears(search, started(2, 14), proposes("a"), tests("a", 14, 14), scores("a", 0.4), proposes("b"), {
        type: "search.improved",
        candidateId: "a",
        cost: { value: 0.4, unit: "points", source: "", spreads: [] },
    });
    assert.equal(progressLine(search, ENGLISH), "2/8 candidates · 1 verified · best: 0.4 tokens changed");
    assert.equal(progressInShort(search), "2/8");
    assert.equal(baselineLine(search, ENGLISH), "2 of 14 tests failed before");
});

test("a search that ended without a candidate says why, and what only it knows", () => {
    const search = hears(fresh(), started(1, 1), proposes("a"), tests("a", 0, 1), scores("a", null), {
        type: "search.stopped",
        outcome: "attempts-spent",
        sentence: "Every candidate failed its checks.",
        reason: "the script has no more replies",
        advice: "Add a test.",
        verified: false,
        winner: null,
        spent: SPENT,
    });
    assert.equal(fateOf(search), "empty");
    assert.equal(stateLine(search, ENGLISH), "every candidate failed · 1 candidate in 4.2 s");
    assert.equal(
        why(search, ENGLISH),
        "Every candidate failed its checks. The script has no more replies. Add a test.",
    );
    assert.equal(endOf(search, ENGLISH)?.sentence, `total: ${why(search, ENGLISH)}`);
    const { end } = search;
    assert.ok(end !== null);
    search.end = { ...end, reason: "x".repeat(130) };
    assert.equal(endOf(search, ENGLISH)?.sentence, `total: X${"x".repeat(129)}. Add a test.`);
});

test("one test is not spoken of as several, and no candidates are not counted", () => {
    assert.equal(baselineLine(hears(fresh(), started(0, 1)), ENGLISH), "Its test passed before");
    assert.equal(baselineLine(hears(fresh(), started(1, 1)), ENGLISH), "Its test failed before");
    const search = hears(fresh(), started(0, 1), {
        type: "search.stopped",
        outcome: "nothing-to-fix",
        sentence: "Nothing to repair.",
        reason: "",
        verified: false,
        winner: null,
        spent: SPENT,
    });
    assert.equal(stateLine(search, ENGLISH), "nothing to repair");
});

test("tests are offered for a function that exists and that no test reaches", () => {
    const ended: Told = {
        type: "search.stopped",
        outcome: "nothing-to-go-by",
        sentence: "",
        reason: "",
        verified: false,
        winner: null,
        spent: SPENT,
    };
    assert.ok(isUntested(hears(fresh(), started(0, 0), ended)));
    assert.ok(!isUntested(hears(fresh(), started(0, 1), ended)));
    assert.ok(!isUntested(hears(fresh(), started(0, 0))));
});

test("what was interrupted or stopped can go on, unless something of it was accepted", () => {
    const search = fresh();
    assert.ok(!isResumable(search));
    hears(search, {
        type: "search.stopped",
        outcome: "interrupted",
        sentence: "",
        reason: "",
        verified: false,
        winner: null,
        spent: SPENT,
    });
    assert.ok(isResumable(search));
    search.accepted = "a";
    assert.ok(!isResumable(search));
});

test("the call of an example is one that can be made", () => {
    assert.equal(callOf("total"), "total(…)");
    assert.equal(callOf("Till.total"), "Till(…).total(…)");
});

test("a search whose server has gone is not called running", () => {
    const search = fresh();
    search.state = "stopped";
    assert.equal(fateOf(search), "broken");
    assert.equal(why(search, ENGLISH), "The server ended before the search did.");
});

test("numbers are as exact as they are read", () => {
    assert.deepEqual([plain(0.4), plain(1.23456), plain(12)], ["0.4", "1.235", "12"]);
    assert.deepEqual(
        [0.04, 9.96, 59.4, 59.6, 125].map((seconds) => duration(seconds, ENGLISH)),
        ["0.0 s", "10 s", "59 s", "1 min", "2 min 5 s"],
    );
    assert.deepEqual(
        [money(0), money(0.42), money(0.0031), money(0.00001)],
        ["$0.00", "$0.42", "$0.0031", "$0.000010"],
    );
    assert.equal(
        models({ ...SPENT, calls: 3, tokens: 4210, dollars: null }, ENGLISH),
        "3 calls, 4,210 tokens, price unknown",
    );
});

test("a cost says what it counts, and one that nobody could find says so", () => {
    const cost = { value: 4, unit: "tokens", source: "tokens added or removed in the target", spreads: [] };
    assert.equal(explained(cost, ENGLISH), "4 tokens changed");
    assert.equal(priced({ ...cost, value: 1e12 }, ENGLISH), "not priced");
});

test("what was being judged when the search ended is left as it is", () => {
    const search = hears(fresh(), proposes("a"), { type: "verifier.started", candidateId: "a", verifier: "tests" });
    assert.deepEqual(scoreParts(the(search, "a"), ENGLISH), ["checking tests"]);
    hears(search, {
        type: "search.stopped",
        outcome: "cancelled",
        sentence: "",
        reason: "",
        verified: false,
        winner: null,
        spent: SPENT,
    });
    assert.equal(standingOf(the(search, "a")), "undecided");
    assert.deepEqual(scoreParts(the(search, "a"), ENGLISH), ["left unchecked"]);
});

test("a candidate that changes other files says how many", () => {
    const change = { path: "shop/prices.py", before: null, after: "", diff: "", hunks: [] };
    const files = (count: number): Told => ({
        ...(proposes("a") as Extract<Told, { type: "candidate.proposed" }>),
        elsewhere: Array.from({ length: count }, () => change),
    });
    const said = [0, 1, 2].map((count) => {
        const candidate = the(hears(fresh(), files(count), tests("a", 2, 2), scores("a", 5)), "a");
        return scoreInRow(candidate, false, ENGLISH).filter((part) => part.startsWith("+"));
    });
    assert.deepEqual(said, [[], ["+1 file"], ["+2 files"]]);
});
