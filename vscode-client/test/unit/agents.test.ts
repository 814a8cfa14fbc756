// What agents give the tools, what they read of them, and how their server is run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Calls, TOOLS } from "../../src/searches/calls";
import { mcpArguments, missingExtra } from "../../src/agents/mcpProgram";
import { diffAnswer, searchAnswer, strengthAnswer, testsAnswer } from "../../src/agents/toolAnswers";
import { BadInput, readInput, readTarget } from "../../src/agents/toolInput";
import { runOwn } from "../../src/daemon/resolve";
import type { Choice } from "../../src/daemon/resolve";
import type { BehaviourDiff, StrengthResult } from "../../src/protocol";
import { ENGLISH, fresh, hears, improves, proposes, ranks, rules, scores, tests } from "./told";
import type { Told } from "./told";

interface Manifest {
    readonly contributes: {
        readonly languageModelTools: readonly {
            readonly name: string;
            readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
        }[];
    };
}

const SPENT = { candidates: 1, seconds: 2, calls: 0, tokens: 0, dollars: 0 };

function stops(outcome: "solved" | "attempts-spent", sentence: string): Told {
    const plain = { reason: "", verified: outcome === "solved", winner: null, spent: SPENT };
    return { type: "search.stopped", outcome, sentence, ...plain };
}

test("the tools of package.json are those that are registered, and take what is read", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
    const tools = manifest.contributes.languageModelTools;
    assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS,
    );
    const known = Object.keys(readInput({ target: "a.py::f" }));
    for (const { inputSchema } of tools) {
        assert.deepEqual(
            Object.keys(inputSchema.properties).filter((name) => !known.includes(name)),
            [],
        );
    }
});

test("a function is named by its name, its line, or a test as pytest prints it", () => {
    assert.deepEqual(readTarget("shop/till.py::Till.total"), { path: "shop/till.py", qualname: "Till.total" });
    assert.deepEqual(readTarget("shop/till.py:12"), { path: "shop/till.py", line: 12 });
    const test = readTarget("tests/test_till.py::TestTill::test_total[a::b]");
    assert.deepEqual(test, { path: "tests/test_till.py", qualname: "TestTill.test_total" });
});

test("input of another form is refused with what to give instead", () => {
    for (const target of ["till", "till.py", "till.py:0", "till.txt::total", ""]) {
        assert.throws(() => readTarget(readInput({ target }).target), BadInput);
    }
    for (const input of [undefined, null, [], { target: 3 }, { target: "a.py::f", against: {} }]) {
        assert.throws(() => readInput(input), BadInput);
    }
});

test("the server of agents is the program of the language server, in the folders of the window", () => {
    const own = runOwn({ command: "/envs/1/bin/python", version: "0.1.0", python: "/usr/bin/python3" });
    assert.deepEqual(mcpArguments(own, ["/a", "/b"]), ["-I", "-m", "certo", "mcp", "--root", "/a", "--root", "/b"]);
    assert.match(missingExtra(own, ENGLISH), /"\/envs\/1\/bin\/python" -m pip install "certo\[mcp\]"$/u);
    const path: Choice = { command: "/bin/certo", args: ["serve"], reason: "path", version: "0.1.0", python: "" };
    assert.deepEqual(mcpArguments(path, ["/a"]), ["mcp", "--root", "/a"]);
    assert.match(missingExtra(path, ENGLISH), /environment of \/bin\/certo\. .*: pip install "certo\[mcp\]"$/u);
});

test("a call is shown from its first moment, and makes room when it is made again", () => {
    let told = 0;
    const calls = new Calls(() => told++);
    const first = calls.begin("certo_verify", "a.py::f");
    const other = calls.begin("certo_diff", "a.py::f");
    assert.deepEqual(calls.all(), [other, first]);
    calls.end(first, { state: "failed", said: "it fails", report: "# it fails" });
    assert.deepEqual([told, calls.get(first.id)?.said], [3, "it fails"]);
    const again = calls.begin("certo_verify", "a.py::f");
    assert.deepEqual(calls.all(), [again, other]);
    for (let number = 0; number < 9; number++) {
        calls.end(calls.begin("certo_verify", `a.py::f${number}`), { state: "passed", said: "", report: "" });
    }
    // Those that run stay, however old.
    assert.deepEqual(
        calls
            .all()
            .map(({ target }) => target)
            .slice(-3),
        ["a.py::f4", "a.py::f", "a.py::f"],
    );
});

test("an agent reads of a verified candidate its diff, and that nothing is written", () => {
    const search = hears(
        fresh(),
        { ...proposes("a"), diff: "-a\n+```b\n" } as Told,
        tests("a", 2, 2),
        scores("a", 3),
        ranks("a", 1),
        improves("a", 3),
        stops("solved", "a candidate is verified"),
    );
    const said = searchAnswer(search, ENGLISH);
    assert.match(said, /^# total: A candidate is verified\./u);
    assert.match(said, /````diff\n-a\n\+```b\n````/u);
    assert.match(said, /Nothing is written yet/u);
});

test("an agent reads why no candidate is verified, and is told not to claim a repair", () => {
    const search = hears(
        fresh(),
        proposes("a"),
        tests("a", 1, 2),
        rules("a", "types", "failed", { findings: [{ message: "no int", line: 1 }] }),
        scores("a", null),
        stops("attempts-spent", "every candidate failed"),
    );
    const said = searchAnswer(search, ENGLISH);
    assert.match(said, /## #1: .*\n\ntests/u);
    assert.match(said, /do not call this a repair/u);
});

test("a difference, a gap and a written test are told with their calls", () => {
    const diff: BehaviourDiff = {
        path: "till.py",
        qualname: "total",
        line: 1,
        older: "HEAD",
        olderLine: 1,
        result: "different",
        compared: 9,
        made: {},
        skipped: {},
        branches: { number: 0 },
        olderBranches: { number: 0 },
        differences: [{ call: "total([])", before: "0", now: "None", kind: "value", domain: "usual", isSlight: false }],
        seconds: 1,
    };
    const told = diffAnswer(diff, ENGLISH);
    assert.deepEqual([told.state, told.said], ["failed", "total acts otherwise than in HEAD: 9 calls were compared"]);
    assert.match(told.report, /- `total\(\[\]\)` gave 0 and gives None now/u);

    const gap = { line: 3, kind: "comparison", before: "<", after: "<=", call: "total([1])", now: "1", changed: "2" };
    const place = { root: "/shop", path: "till.py", qualname: "total", line: 1, seconds: 1 };
    const strength: StrengthResult = { ...place, strength: { noticed: 3, of: 4, gaps: [gap] } };
    const measured = strengthAnswer(strength, ENGLISH);
    assert.equal(measured.said, "total: your tests notice 3 of 4 small changes");
    assert.match(measured.report, /it would give: 2/u);

    const source = "def test_total():\n    assert total([]) == 0\n";
    const each = { id: "1", name: "test_total", source, call: "total([])", result: "0", notices: 1 };
    const suspicious = [{ call: "total([-1])", result: "-1", why: "a negative total" }];
    const written = { tests: [each], suspicious, mutants: 4, noticedBefore: 3, noticedAfter: 4 };
    const wrote = testsAnswer({ ...place, written }, ENGLISH);
    assert.match(wrote.report, /```python\ndef test_total\(\):\n {4}assert total\(\[\]\) == 0\n```/u);
    assert.match(wrote.report, /suspicious: .*a negative total/u);
    assert.match(wrote.report, /in no file yet/u);
});
