// A question of certo's in the words of the editor's language models.

import assert from "node:assert/strict";
import { test } from "node:test";

import { modelCalled, optionsOf, turnsOf } from "../../src/daemon/turns";

test("what the system says is the beginning of what the user says", () => {
    const turns = turnsOf({
        schema: null,
        messages: [
            { role: "system", text: "You write Python." },
            { role: "user", text: "Implement total." },
            { role: "assistant", text: "return 0" },
            { role: "user", text: "A test failed." },
        ],
    });
    assert.deepEqual(turns, [
        { role: "user", text: "You write Python.\n\nImplement total." },
        { role: "assistant", text: "return 0" },
        { role: "user", text: "A test failed." },
    ]);
});

test("a system message alone is still asked", () => {
    assert.deepEqual(turnsOf({ schema: null, messages: [{ role: "system", text: "Say yes." }] }), [
        { role: "user", text: "Say yes." },
    ]);
});

test("the form of the answer is asked for at the end", () => {
    const schema = { type: "boolean" };
    const [turn] = turnsOf({ schema, messages: [{ role: "user", text: "Is it good?" }] });
    assert.match(turn?.text ?? "", /^Is it good\?\n\n[^]*\n\{"type":"boolean"\}$/u);
});

test("what is left to the editor is not among the options", () => {
    const unset = { temperature: null, topP: null, seed: null, maxTokens: 4096, stop: [] };
    assert.deepEqual(optionsOf(unset), { max_tokens: 4096 });
    assert.deepEqual(optionsOf({ temperature: 0, topP: 0.9, seed: 7, maxTokens: 9, stop: ["\n"] }), {
        max_tokens: 9,
        temperature: 0,
        top_p: 0.9,
        seed: 7,
        stop: ["\n"],
    });
});

test("a model is found by its whole name before its id, and by its id before its family", () => {
    const models = [
        { vendor: "one", id: "x", family: "small" },
        { vendor: "two", id: "small", family: "large" },
        { vendor: "two", id: "x", family: "x" },
    ];
    assert.equal(modelCalled("two/x", models), models[2]);
    assert.equal(modelCalled("small", models), models[1]);
    assert.equal(modelCalled("large", models), models[1]);
    assert.equal(modelCalled("", models), models[0]);
    assert.equal(modelCalled("huge", models), undefined);
});
