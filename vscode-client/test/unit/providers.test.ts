// Who serves language models.

import assert from "node:assert/strict";
import { test } from "node:test";

import { flawOf, keyNameFor, keyNameOf } from "../../src/daemon/providers";

test("the key of a server is named after its address, so that no other server is sent it", () => {
    assert.equal(keyNameFor("http://127.0.0.1:8080/v1"), "KEY_FOR_127_0_0_1___8080");
    assert.equal(keyNameFor("https://models.example.com/v1"), "KEY_FOR_MODELS_EXAMPLE_COM");
    assert.notEqual(keyNameFor("https://my-models.com"), keyNameFor("https://my.models.com"));
});

test("a provider's usual key is for its own address only", () => {
    assert.equal(keyNameOf("openai:gpt-5-mini", "", ""), "OPENAI_API_KEY");
    assert.equal(keyNameOf("openai:gpt-5-mini", "http://127.0.0.1:8080/v1", ""), "");
    assert.equal(keyNameOf("openai:gpt-5-mini", "http://127.0.0.1:8080/v1", "KEY_FOR_IT"), "KEY_FOR_IT");
    assert.equal(keyNameOf("ollama:qwen3", "", ""), "");
});

test("an address is one of the web, without a key in it", () => {
    assert.equal(flawOf("http://127.0.0.1:8080/v1"), undefined);
    assert.equal(flawOf("127.0.0.1:8080"), "no address");
    assert.equal(flawOf("ftp://example.com"), "no address");
    assert.equal(flawOf("https://ada:secret@example.com"), "has a key in it");
    assert.equal(flawOf("https://example.com/v1?key=secret"), "has a key in it");
});
