// What the server says, as a sentence of its own.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sentence } from "../../src/sentence";

test("words of the server begin in capitals and end with a stop", () => {
    assert.equal(sentence("there is no function here; name one"), "There is no function here; name one.");
    assert.equal(sentence("stopped, as asked"), "Stopped, as asked.");
    assert.equal(sentence("Is it Python?"), "Is it Python?");
    assert.equal(sentence(" \n"), "");
});

test("a path, a setting or a name at the beginning stays as it is spelled", () => {
    assert.equal(sentence("till/basket.py has changed"), "till/basket.py has changed.");
    assert.equal(sentence("model.name must be set"), "model.name must be set.");
    assert.equal(sentence("loyalty_points is gone"), "loyalty_points is gone.");
});
