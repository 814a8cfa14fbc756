// The strategies that a search can be tried again with.

import assert from "node:assert/strict";
import { test } from "node:test";

import { strategiesFor } from "../../src/commands/strategies";
import { ENGLISH } from "./told";

function names(generator: string): unknown[] {
    const chosen = strategiesFor({ generator }, ENGLISH).map(({ settings }) => settings["search.strategy"]);
    return [...new Set(chosen)].filter((name) => name !== undefined);
}

test("what needs a language model is offered only where one writes", () => {
    assert.deepEqual(names("builtin"), ["auto", "retry", "best_of", "mcts"]);
    assert.deepEqual(names("model").slice(4), ["linear_search", "llm_tree_search", "fixer"]);
});

test("what a search does unless another strategy is chosen comes first, and it can be gone back to", () => {
    const [first] = strategiesFor({ generator: "builtin" }, ENGLISH);
    assert.deepEqual(first?.settings, { "search.strategy": "auto" });
});
