// A search as a tree, its lenses, and where the tests of its findings stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardOf } from "../../src/searches/card";
import { codeOf, lastLine } from "../../src/searches/draftText";
import { levelInWords } from "../../src/searches/evidenceLevel";
import { testOf } from "../../src/searches/findings";
import { givenBy, groupInShort, groupsOf, questionOf } from "../../src/searches/groups";
import { lensesOf } from "../../src/searches/lensWords";
import { Pace } from "../../src/searches/pace";
import type { Search } from "../../src/searches/state";
import { SIDE_BY_SIDE, below, gapOf, ideaOf, rowOf } from "../../src/searches/tree";
import type { Row } from "../../src/searches/tree";
import { candidateInWords, scoreLine } from "../../src/searches/words";
import { ENGLISH, fresh, hears, improves, proposes, ranks, rules, scores, tests, the } from "./told";
import type { Told } from "./told";

function rows(search: Search, row: Row = rowOf(search)): string[] {
    return below(search, row).map((each) => each.candidateId ?? each.kind);
}

test("those that passed come first by rank, then those being judged and written, then the others in a branch", () => {
    const search = hears(
        fresh(),
        proposes("a"),
        tests("a", 1, 2),
        scores("a", null),
        proposes("b"),
        scores("b", 5),
        ranks("b", 1),
        proposes("c"),
        scores("c", 4),
        ranks("c", 1),
        proposes("d"),
        { type: "candidate.written", slot: 1, attempt: 0, model: "m", atCharacter: 0, text: "def" },
    );
    assert.deepEqual(rows(search), ["c", "b", "d", "draft", "refused", "spent"]);
    const refused = below(search, rowOf(search)).find((each) => each.kind === "refused");
    assert.ok(refused !== undefined);
    assert.deepEqual(rows(search, refused), ["a"]);
});

test("the level of evidence stands beside the tests, in a row of its own and in the card", () => {
    const search = hears(fresh(), proposes("a"), tests("a", 2, 2), scores("a", 2), ranks("a", 1));
    const candidate = the(search, "a");
    assert.equal(scoreLine(candidate, ENGLISH), "✓ 2/2 tests · 2 tokens changed");
    const graded = { level: "weak" as const, reasons: ["1 other behaviour passes these tests"], call: "total([2])" };
    hears(search, { type: "evidence.graded", candidateId: "a", graded });
    assert.equal(scoreLine(candidate, ENGLISH), "✓ 2/2 tests, weak · 2 tokens changed");
    assert.equal(candidateInWords(candidate, ENGLISH), "verified by weak tests");
    const [row] = below(search, rowOf(search));
    assert.ok(row !== undefined && rows(search, row).length > 0);
    assert.ok(below(search, row).some(({ kind }) => kind === "level"));
    const settled = "weak: 1 other behaviour passes these tests; the right result of total([2]) would settle it";
    assert.equal(levelInWords(candidate, ENGLISH), settled);
    assert.match(cardOf(search, candidate, false, ENGLISH), /verified by weak tests[^]*1 other behaviour passes/u);
    const long = { ...graded, call: `total([${"1".repeat(700)}])` };
    hears(search, { type: "evidence.graded", candidateId: "a", graded: long });
    assert.match(levelInWords(candidate, ENGLISH), /the right result of total\(\[1{100,120}… would settle it$/u);
    hears(search, { type: "evidence.graded", candidateId: "a", graded: { level: "strong" } });
    assert.equal(scoreLine(candidate, ENGLISH), "✓ 2/2 tests, strong · 2 tokens changed");
    assert.equal(candidateInWords(candidate, ENGLISH), "verified");
});

test("a search that goes on has no levels of evidence before its next end", () => {
    const search = hears(fresh(), proposes("a"), tests("a", 2, 2), scores("a", 2), ranks("a", 1));
    hears(search, { type: "evidence.graded", candidateId: "a", graded: { level: "strong" } });
    hears(search, { type: "search.resumed", candidates: 1, answers: 0, lost: 0 });
    assert.equal(levelInWords(the(search, "a"), ENGLISH), "");
});

test("a row keeps its name whatever comes before it", () => {
    const search = hears(fresh(), proposes("a"), scores("a", 5), ranks("a", 1));
    const before = below(search, rowOf(search))[0];
    hears(search, proposes("b"), scores("b", 4), ranks("b", 1));
    const after = below(search, rowOf(search))[1];
    assert.equal(after?.candidateId, "a");
    assert.equal(after.id, before?.id);
});

test("candidates that behave alike stand below one row, which tells its group from the next", () => {
    const search = fresh();
    ["mean", "long", "short", "alone"].forEach((id, place) => {
        hears(search, proposes(id), scores(id, 2), ranks(id, place + 1));
    });
    hears(search, ranks("mean", 4), ranks("alone", 4));
    const seen = (result: string): { call: string; result: string }[] => [
        { call: "median([])", result: result === "3.0" ? "raises ZeroDivisionError" : "0" },
        { call: "median([1, 2, 6])", result },
    ];
    const best = { agreeing: 2, compared: 3, group: 1, observations: seen("2") };
    hears(
        search,
        { type: "candidate.compared", candidateId: "long", standing: best },
        { type: "candidate.compared", candidateId: "short", standing: best },
        {
            type: "candidate.compared",
            candidateId: "mean",
            standing: { agreeing: 1, compared: 3, group: 2, rivalOf: "long", observations: seen("3.0") },
        },
    );
    const [first, second, last] = below(search, rowOf(search));
    assert.deepEqual([first?.kind, second?.kind, last?.candidateId], ["group", "group", "alone"]);
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([rows(search, first), rows(search, second)], [["long", "short"], ["mean"]]);
    const groups = groupsOf(search);
    assert.deepEqual(
        groups.map((group) => groupInShort(group, ENGLISH)),
        ["2 of 3 agree", "no other of 3 agrees"],
    );
    assert.deepEqual(
        groups.map((group) => givenBy(search, group)),
        ["median([1, 2, 6]) → 2", "median([1, 2, 6]) → 3.0"],
    );
    const question = questionOf(search);
    assert.equal(question?.call, "median([1, 2, 6])");
    assert.deepEqual(
        question.answers.map(({ result, of }) => [result, of.map(({ id }) => id)]),
        [
            ["2", ["long", "short"]],
            ["3.0", ["mean"]],
        ],
    );
});

test("rivals that a generator has compared stand in groups too", () => {
    const one = [{ call: "half(3)", result: "1" }];
    const other = [{ call: "half(3)", result: "1.5" }];
    const search = hears(
        fresh(),
        { ...proposes("a"), observations: one } as Told,
        scores("a", 1),
        ranks("a", 1),
        { ...proposes("b"), observations: other, rivalOf: "a" } as Told,
        scores("b", 2),
        ranks("b", 2),
    );
    const groups = groupsOf(search);
    assert.deepEqual(
        groups.map((group) => givenBy(search, group)),
        ["half(3) → 1", "half(3) → 1.5"],
    );
    assert.equal(groupInShort(groups[1] ?? [], ENGLISH), "Behave alike: #2");
});

test("candidates that all behave alike stand by themselves", () => {
    const search = hears(fresh(), proposes("a"), scores("a", 5), ranks("a", 1));
    hears(search, { type: "candidate.compared", candidateId: "a", standing: { agreeing: 1, compared: 1, group: 1 } });
    assert.deepEqual(rows(search), ["a", "spent"]);
});

test("the changes that no test notices stand below their candidate, and in its card", () => {
    const gap = {
        line: 4,
        kind: "a comparison's strictness",
        before: "if n > LIMIT:",
        after: "if n >= LIMIT:",
        call: "total(5)",
        now: "0",
        changed: "5",
    };
    const search = hears(fresh(), proposes("a"), tests("a", 2, 2), scores("a", 5), ranks("a", 1));
    const [candidate] = below(search, rowOf(search));
    assert.ok(candidate !== undefined);
    assert.deepEqual(rows(search, candidate).length, 1);
    hears(
        search,
        { type: "strength.progress", candidateId: "a", done: 6, of: 12 },
        {
            type: "strength.measured",
            candidateId: "a",
            strength: {
                noticed: 9,
                of: 11,
                gaps: [gap, { ...gap, line: 5, sameCall: true }],
                uncounted: 1,
                calls: 1240,
                tried: 12,
                possible: 12,
            },
        },
    );
    const strength = below(search, candidate).find((each) => each.kind === "strength");
    assert.ok(strength !== undefined);
    const missed = below(search, strength);
    assert.deepEqual(
        missed.map((each) => gapOf(search, each)),
        [gap],
    );
    const card = cardOf(search, the(search, "a"), false, ENGLISH);
    assert.match(card, /your tests notice 9 of 11 small changes/u);
    assert.match(card, /further changes that made no difference on 1240 calls: 1/u);
});

test("a thousand candidates stand in branches of which only the first is open", () => {
    const search = fresh();
    for (let number = 0; number < 1000; number++) {
        hears(search, proposes(`p${number}`), scores(`p${number}`, number), ranks(`p${number}`, number + 1));
    }
    const top = below(search, rowOf(search));
    assert.equal(top.length, SIDE_BY_SIDE + 2);
    const more = top[SIDE_BY_SIDE];
    assert.equal(more?.kind, "passed");
    const next = below(search, more);
    assert.equal(next.length, SIDE_BY_SIDE + 1);
    assert.equal(next[0]?.candidateId, `p${SIDE_BY_SIDE}`);
});

test("below a candidate are its verdicts, and below those their findings", () => {
    const finding = { message: "tests/test_till.py::test_total: assert 5 == 6", line: null };
    const search = hears(
        fresh(),
        proposes("a"),
        rules("a", "syntax", "passed"),
        tests("a", 0, 1, { findings: [finding] }),
    );
    hears(search, { type: "verifier.started", candidateId: "a", verifier: "types" });
    const [candidate] = below(search, rowOf(search));
    assert.ok(candidate !== undefined);
    const verdicts = below(search, candidate);
    assert.deepEqual(
        verdicts.map((each) => each.name ?? each.kind),
        ["tests", "types", "checks"],
    );
    const [judged, , passed] = verdicts;
    assert.ok(judged !== undefined && passed !== undefined);
    assert.deepEqual(
        below(search, passed).map((each) => each.name),
        ["syntax"],
    );
    assert.deepEqual(
        below(search, judged).map((each) => each.kind),
        ["finding"],
    );
});

test("a finding's test is found, also one whose parameters have colons and blanks", () => {
    const known = ["tests/test_a.py::test_x", "tests/test_a.py::test_x[a: b]"].map((id) => ({
        id,
        ruling: "failed" as const,
        message: "",
        seconds: 0,
    }));
    assert.deepEqual(testOf("tests/test_a.py::test_x[a: b]: assert 1 == 2", known), {
        id: "tests/test_a.py::test_x[a: b]",
        name: "test_x[a: b]",
        said: "assert 1 == 2",
    });
    assert.equal(testOf("tests/test_b.py::TestB::test_y: boom", [])?.name, "test_y");
    assert.equal(testOf("it does not parse", known), undefined);
});

test("of an answer that is being written the code is shown", () => {
    assert.equal(codeOf("def f():\n    pass"), "def f():\n    pass");
    assert.equal(codeOf("Here:\n```python\ndef f():\n    return 1"), "def f():\n    return 1");
    assert.equal(codeOf("```python\ndef f(): ...\n```\nDone."), "def f(): ...");
    assert.equal(lastLine("```python\ndef f():\n    return 1\n\n"), "return 1");
    assert.equal(lastLine("```python\n"), "");
});

function titles(search: Search, scored = true): string[] {
    return lensesOf(search, scored, ENGLISH).map((each) => each.title.replace("\u00a0", " "));
}

test("the lenses of a search that nobody asked for say what its fix changes, once there is one", () => {
    const hunks = [{ line: 3, removed: ["    return n - n\n"], added: ["    return n + n\n"] }];
    const search = hears(fresh(true), { ...proposes("a"), hunks } as Told, tests("a", 1, 1), scores("a", 2));
    assert.deepEqual(titles(search), []);
    hears(search, improves("a", 2));
    search.state = "stopped";
    assert.deepEqual(titles(search), [
        "$(lightbulb) verified fix ready: line 3: n - n → n + n",
        "Accept",
        "Review",
        "Dismiss",
    ]);
});

test("the lenses say how far a search is, and only what is verified may be accepted while it runs", () => {
    const search = hears(fresh(), proposes("a"), tests("a", 1, 1), scores("a", 4, false), improves("a", 4));
    assert.deepEqual(titles(search), ["$(sync~spin) 1 candidate · best: 4 tokens changed", "Stop"]);
    hears(search, proposes("b"), tests("b", 1, 1), scores("b", 5), improves("b", 5));
    assert.deepEqual(titles(search), [
        "$(sync~spin) 2 candidates · 1 verified · best: 5 tokens changed",
        "Stop",
        "Accept #2 now",
    ]);
    search.state = "stopped";
    assert.deepEqual(titles(search), [
        "$(pass) verified, best of 2 candidates",
        "Accept",
        "Review",
        "Retry…",
        "Dismiss",
    ]);
    assert.equal(titles(search, false)[0], "✓ 1/1 tests · 5 tokens changed");
    search.accepted = "b";
    assert.deepEqual(titles(search), []);
});

test("what is being stopped offers nothing that a second click could hit", () => {
    const search = hears(fresh(), proposes("a"), tests("a", 1, 1), scores("a", 4), improves("a", 4));
    search.stopping = true;
    assert.deepEqual(titles(search), ["$(sync~spin) stopping"]);
    search.state = "stopped";
    assert.deepEqual(titles(search), ["$(sync~spin) stopping"]);
    search.stopping = false;
    assert.equal(titles(search).length, 5);
});

test("ideas stand below those that they came from, and one that was given up says why", () => {
    const idea = { type: "idea.added" as const };
    const search = hears(
        fresh(),
        { ...idea, idea: 1, parent: null, text: "Sort first." },
        { ...idea, idea: 2, parent: 1, text: "Sort by length." },
        { type: "idea.dropped", idea: 2, reason: "It was tried." },
    );
    const [ideas] = below(search, rowOf(search)).filter((each) => each.kind === "ideas");
    assert.ok(ideas !== undefined);
    const [first] = below(search, ideas);
    assert.ok(first !== undefined);
    assert.deepEqual(
        [ideaOf(search, first)?.text, below(search, ideas).length, below(search, first).map((each) => each.at)],
        ["Sort first.", 1, [2]],
    );
    assert.equal(ideaOf(search, below(search, first)[0] ?? first)?.dropped, "It was tried.");
});

test("what nothing has verified is to be reviewed before it is accepted", () => {
    const search = hears(fresh(), proposes("a"), tests("a", 1, 1), scores("a", 4, false), improves("a", 4));
    search.state = "stopped";
    assert.deepEqual(titles(search).slice(1, 3), ["Review", "Accept"]);
});

test("a card has the failure first and takes no markup from what a test printed", () => {
    const message = "tests/test_a.py::test_x: [click](command:evil) | `x`";
    const search = hears(fresh(), proposes("a"), tests("a", 0, 1, { findings: [{ message, line: null }] }));
    hears(search, rules("a", "forgery", "passed", { assurance: "tier 2: apart + canary" }), scores("a", null));
    const card = cardOf(search, the(search, "a"), true, ENGLISH);
    assert.match(card, /^\*\*✗ Candidate #1 for total: failed\*\*/u);
    assert.match(card, /^✗ tests: 0\/1 passed/mu);
    assert.match(card, /passes in a separate process; fails when assertions are broken/u);
    assert.match(card, /`\[click\]\(command:evil\) \|`/u);
    assert.match(card, /\[Report\]\(command:certo\.candidate\.report\?/u);
    assert.ok(!card.includes("[Accept]"));
});

test("what is asked for many times is done once in a while", async () => {
    let done = 0;
    const pace = new Pace(() => done++, 20);
    for (let times = 0; times < 50; times++) pace.ask();
    assert.equal(done, 0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(done, 1);
    pace.ask();
    pace.ask();
    pace.dispose();
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(done, 1);
});
