// A search as its events tell of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { AnyEvent, Cost, Origin } from "../../src/protocol";
import { begin, bestOf, madeOf, ranked, tell } from "../../src/searches/state";
import type { Search } from "../../src/searches/state";

const ORIGIN: Origin = { generator: "builtin", note: "", slot: 0, attempt: 0 };

function cost(value: number): Cost {
    return { value, unit: "tokens", source: "tokens added or removed in the target", spreads: [] };
}

function fresh(): Search {
    return begin({
        id: "5f0c2a9e",
        uri: "file:///till.py",
        qualname: "total",
        second: "",
        line: 1,
        instruction: "",
        mine: true,
        ambient: false,
    });
}

function proposed(seq: number, candidateId: string): AnyEvent {
    return {
        type: "candidate.proposed",
        seq,
        search: "5f0c2a9e",
        at: 1,
        candidateId,
        parent: null,
        origin: ORIGIN,
        edits: [],
        diff: "",
        hunks: [],
    };
}

function ranks(seq: number, candidateId: string, place: number): AnyEvent {
    return { type: "candidate.ranked", seq, search: "5f0c2a9e", at: 1, candidateId, place, of: 9 };
}

test("a draft is followed to the candidate that it became", () => {
    const search = fresh();
    tell(search, proposed(1, "a"));
    assert.equal(madeOf(search, ORIGIN.slot, ORIGIN.attempt)?.id, "a");
    assert.equal(madeOf(search, ORIGIN.slot, ORIGIN.attempt + 1), undefined);
});

test("what a model looks up is what is being done", () => {
    const search = fresh();
    const seen = { slot: 0, attempt: 0, model: "openai:m", number: 1, tool: "read_file", characters: 4 };
    const arguments_ = '{"path": "till.py"}';
    tell(search, {
        type: "candidate.looked",
        seq: 1,
        search: "5f0c2a9e",
        at: 1,
        ...seen,
        arguments: arguments_,
        result: "",
    });
    assert.equal(search.message, 'openai:m: read_file {"path": "till.py"}');
});

test("an event that was told before changes nothing", () => {
    const search = fresh();
    tell(search, proposed(1, "a"));
    tell(search, proposed(1, "b"));
    assert.deepEqual([...search.candidates.keys()], ["a"]);
});

test("a candidate takes its place, and those behind move down by one", () => {
    const search = fresh();
    ["a", "b", "c"].forEach((id, index) => {
        tell(search, proposed(index + 1, id));
    });
    tell(search, ranks(4, "a", 1));
    tell(search, ranks(5, "b", 1));
    tell(search, ranks(6, "c", 2));
    assert.deepEqual(
        ranked(search).map((each) => [each.id, each.place]),
        [
            ["b", 1],
            ["c", 2],
            ["a", 3],
        ],
    );
    tell(search, ranks(7, "a", 1));
    assert.deepEqual(
        ranked(search).map((each) => each.id),
        ["a", "b", "c"],
    );
});

test("the best candidate is the one that was last called an improvement", () => {
    const search = fresh();
    tell(search, proposed(1, "a"));
    assert.equal(bestOf(search), undefined);
    tell(search, { type: "search.improved", seq: 2, search: "5f0c2a9e", at: 2.5, candidateId: "a", cost: cost(4) });
    assert.equal(bestOf(search)?.id, "a");
    assert.deepEqual(search.improvements, [{ at: 2.5, candidateId: "a", cost: 4 }]);
});

test("the best candidate is the one that stands first in the list", () => {
    const search = fresh();
    for (const [number, id] of ["a", "b"].entries()) tell(search, proposed(number + 1, id));
    tell(search, ranks(3, "a", 1));
    tell(search, { type: "search.improved", seq: 4, search: "5f0c2a9e", at: 2.5, candidateId: "a", cost: cost(4) });
    tell(search, ranks(5, "b", 1));
    assert.equal(bestOf(search)?.id, "b");
});

test("an edit of a near miss ends no draft of its lane", () => {
    const search = fresh();
    search.generator = "model";
    const piece = { type: "candidate.written", search: "5f0c2a9e", at: 1, slot: ORIGIN.slot, attempt: 1 } as const;
    tell(search, { ...piece, seq: 1, model: "m", atCharacter: 0, text: "a" });
    tell(search, { ...proposed(2, "a"), origin: { ...ORIGIN, generator: "builtin" } } as AnyEvent);
    assert.equal(search.drafts.size, 1);
    tell(search, { ...proposed(3, "b"), origin: { ...ORIGIN, generator: "model" } } as AnyEvent);
    assert.equal(search.drafts.size, 0);
});

test("what a model writes is put where the answer has so many code points", () => {
    const search = fresh();
    const piece = { type: "candidate.written", search: "5f0c2a9e", at: 1, slot: 2, attempt: 1, model: "m" } as const;
    tell(search, { ...piece, seq: 1, atCharacter: 0, text: "a = '🐍'" });
    tell(search, { ...piece, seq: 2, atCharacter: 6, text: "!'" });
    assert.equal(search.drafts.get(2)?.text, "a = '🐍!'");
    tell(search, { ...piece, seq: 3, attempt: 2, atCharacter: 0, text: "b" });
    assert.equal(search.drafts.get(2)?.text, "b");
});
