// Two clicks on the same button are one wish.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Underway } from "../../src/searches/underway";

test("what is under way is not begun a second time, and what has ended is", async () => {
    const underway = new Underway();
    let begun = 0;
    let finish = (): void => undefined;
    const act = (): Promise<number> => {
        begun++;
        return new Promise((resolve) => {
            finish = () => {
                resolve(begun);
            };
        });
    };
    const first = underway.once("accept", act);
    assert.equal(await underway.once("accept", act), undefined);
    assert.equal(begun, 1);
    assert.equal(await underway.once("another", () => Promise.resolve("done")), "done");
    finish();
    assert.equal(await first, 1);
    const second = underway.once("accept", act);
    finish();
    assert.equal(await second, 2);
});

test("what has failed may be tried again, and only the first is told", async () => {
    const underway = new Underway();
    const fail = (): Promise<never> => Promise.reject(new Error("no"));
    const [first, second] = await Promise.allSettled([underway.once("a", fail), underway.once("a", fail)]);
    assert.equal(first.status, "rejected");
    assert.deepEqual(second, { status: "fulfilled", value: undefined });
    assert.equal(await underway.once("a", () => Promise.resolve(1)), 1);
});
