// What is to write candidates, as settings and in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BUILTIN, foundOf, modelNamed, reachOf, settingsForOnce, settingsOf } from "../../src/commands/modelChoice";
import type { Fact } from "../../src/protocol";
import { ENGLISH } from "./told";

const OPENAI: Fact = {
    subject: "model",
    health: "good",
    says: "openai:gpt-5-mini",
    details: ["at https://api.openai.com/v1", "its key is the environment variable OPENAI_API_KEY", "it costs nothing"],
    remedy: "",
};

test("a model with an address has it written, and one without takes the old address away", () => {
    const local = { ...modelNamed("openai:qwen"), baseUrl: "http://127.0.0.1:1/v1", keyVariable: "KEY_FOR_IT" };
    assert.deepEqual(reachOf(local), [
        ["model.baseUrl", "http://127.0.0.1:1/v1"],
        ["model.keyVariable", "KEY_FOR_IT"],
        ["model.apiVersion", undefined],
    ]);
    assert.ok(reachOf(modelNamed("openai:gpt-5-mini")).every(([, value]) => value === undefined));
});

test("the built-in generator leaves the settings of models alone", () => {
    assert.deepEqual(settingsOf(BUILTIN), [["search.generator", "builtin"]]);
    assert.deepEqual(reachOf(BUILTIN), []);
});

test("for one search a model is one of its own, so that no key goes to another's address", () => {
    const once = settingsForOnce(modelNamed("anthropic:claude-sonnet-4-5"));
    assert.deepEqual(once["generation.models"], ["chosen"]);
    assert.equal(once["models.chosen.name"], "anthropic:claude-sonnet-4-5");
    assert.equal(once["models.chosen.baseUrl"], null);
    assert.ok(!Object.keys(once).some((name) => name.startsWith("model.")));
});

test("it is said where the key is, and what the model costs", () => {
    const { words, good } = foundOf(modelNamed("openai:gpt-5-mini"), [OPENAI], false, [], ENGLISH);
    assert.ok(good);
    assert.equal(
        words,
        "openai:gpt-5-mini writes candidates now. Its key is the environment variable OPENAI_API_KEY. It costs nothing.",
    );
});

test("a key that only the editor has is not called missing", () => {
    const lacking: Fact = {
        ...OPENAI,
        health: "broken",
        says: "openai:gpt-5-mini: its key is nowhere to be found",
        details: ["at https://api.openai.com/v1", "it costs nothing"],
    };
    const kept = foundOf(modelNamed("openai:gpt-5-mini"), [lacking], true, [], ENGLISH);
    assert.match(kept.words, /stored in VS Code's secret storage/u);
    const missing = foundOf(modelNamed("openai:gpt-5-mini"), [lacking], false, [], ENGLISH);
    assert.match(missing.words, /asks you for its key/u);
});

test("a choice that does not count is said to be none", () => {
    const stronger = { ...OPENAI, says: "ollama:qwen3" };
    assert.equal(foundOf(modelNamed("openai:gpt-5-mini"), [stronger], false, [], ENGLISH).good, false);
    assert.equal(foundOf(modelNamed("openai:gpt-5-mini"), [OPENAI], false, ["ollama:qwen3"], ENGLISH).good, false);
});
