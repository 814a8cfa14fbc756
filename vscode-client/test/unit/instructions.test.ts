// The instructions that were given for functions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { functionAt, givenFor, withGiven } from "../../src/commands/instructions";
import type { Given } from "../../src/commands/instructions";

const TILL = `import os

class Till:
    def total(self, prices):
        """Sum them up."""

        def one(price):
            return price
        return sum(one(each) for each in prices)

    async def close(
        self,
    ):
        await self.drawer()

LIMIT = 3
`.split("\n");

test("a line is in the innermost function around it", () => {
    const at = (text: string): string | undefined =>
        functionAt(
            TILL,
            TILL.findIndex((line) => line.includes(text)),
        );
    assert.equal(at("def total"), "total");
    assert.equal(at("Sum them"), "total");
    assert.equal(at("return price"), "one");
    assert.equal(at("return sum"), "total");
    assert.equal(at("self.drawer"), "close");
    assert.equal(at("LIMIT"), undefined);
    assert.equal(at("import os"), undefined);
});

test("what was asked of a function comes back, the last first and each once", () => {
    let all: Given[] = [];
    for (const text of ["no loops", "shorter", "no loops"]) all = withGiven(all, { about: "till.py#total", text });
    all = withGiven(all, { about: "till.py#close", text: "faster" });
    assert.deepEqual(givenFor(all, "till.py#total"), ["no loops", "shorter"]);
});

test("not everything is remembered for ever", () => {
    let all: Given[] = [];
    for (let n = 0; n < 80; n++) all = withGiven(all, { about: "f", text: `${n}` });
    assert.equal(all.length, 50);
    assert.equal(all[0]?.text, "79");
});
