// What a search would take, in sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { EstimateResult } from "../../src/protocol";
import { estimateInWords } from "../../src/searches/estimateWords";
import { ENGLISH } from "./told";

const PAID: EstimateResult = {
    models: ["openai:gpt-5-mini"],
    tries: 13,
    likely: { calls: 1, tokens: 1210, dollars: 0.0006 },
    most: { calls: 39, tokens: 412000, dollars: 0.31 },
    cap: "search.dollars = 0.25",
};

test("an estimate says what is likely, what is the most, and what would end it before", () => {
    assert.equal(
        estimateInWords(PAID, ENGLISH),
        "A search here asks openai:gpt-5-mini. Probably 1 call, 1,210 tokens, $0.00060; " +
            "at most 39 calls, 412,000 tokens, $0.31, in 13 attempts. A limit in the settings ends it earlier: search.dollars = 0.25.",
    );
});

test("where no model is asked, no price is named", () => {
    assert.doesNotMatch(estimateInWords({ ...PAID, models: [] }, ENGLISH), /\$/u);
});
