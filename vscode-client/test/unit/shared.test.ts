// What several wait for goes on until the last of them leaves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Shared } from "../../src/daemon/shared";

/** A question that is answered, or taken back, by the test. */
function question(): { shared: Shared<string>; answer: (words: string) => void; takenBack: () => boolean } {
    let answer: (words: string) => void = () => undefined;
    let takenBack = false;
    const shared = new Shared<string>((signal) => {
        signal.addEventListener("abort", () => {
            takenBack = true;
        });
        return new Promise((resolve) => {
            answer = resolve;
        });
    });
    return { shared, answer, takenBack: () => takenBack };
}

const staying = new AbortController().signal;

test("all that wait are told the answer", async () => {
    const { shared, answer } = question();
    const both = Promise.all([shared.wait(staying), shared.wait(staying)]);
    answer("sk-1");
    assert.deepEqual(await both, ["sk-1", "sk-1"]);
    assert.equal(shared.isOver, true);
});

test("when the one leaves that asked first, the others are still told", async () => {
    const { shared, answer, takenBack } = question();
    const leaving = new AbortController();
    const first = shared.wait(leaving.signal);
    const second = shared.wait(staying);
    leaving.abort();
    assert.equal(await first, undefined);
    assert.equal(takenBack(), false);
    answer("sk-1");
    assert.equal(await second, "sk-1");
});

test("when the last one leaves, the question is taken back, and another has to be asked", async () => {
    const { shared, takenBack } = question();
    const [one, other] = [new AbortController(), new AbortController()];
    const both = Promise.all([shared.wait(one.signal), shared.wait(other.signal)]);
    one.abort();
    other.abort();
    assert.deepEqual(await both, [undefined, undefined]);
    assert.equal(takenBack(), true);
    assert.equal(shared.isOver, true);
});

test("who has left before is not waited for", async () => {
    const { shared, takenBack } = question();
    assert.equal(await shared.wait(AbortSignal.abort()), undefined);
    assert.equal(takenBack(), true);
});

test("what goes wrong is told to those who wait", async () => {
    const shared = new Shared<string>(() => Promise.reject(new Error("no box")));
    await assert.rejects(shared.wait(staying), /no box/u);
});
