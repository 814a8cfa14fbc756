// Restarts that overlap: one at a time, and of those that wait only one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Queue } from "../../src/daemon/queue";

/** Work that says when it begins, and ends when it is let. */
function work(log: string[], name: string): { run: () => Promise<void>; end: () => void } {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
        end = resolve;
    });
    return {
        run: async () => {
            log.push(`${name} begins`);
            await ended;
            log.push(`${name} ends`);
        },
        end,
    };
}

/** Lets everything happen that does not wait for anything. */
function settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
}

test("work waits until what came before it has ended", async () => {
    const [log, queue]: [string[], Queue] = [[], new Queue()];
    const [first, second] = [work(log, "first"), work(log, "second")];
    void queue.take("restart", first.run);
    await settle();
    const done = queue.take("restart", second.run);
    await settle();
    assert.deepEqual(log, ["first begins"]);
    first.end();
    second.end();
    await done;
    assert.deepEqual(log, ["first begins", "first ends", "second begins", "second ends"]);
});

test("wishes of one kind that wait together are one, and all hear of its end", async () => {
    const [log, queue]: [string[], Queue] = [[], new Queue()];
    const [first, second, third] = [work(log, "first"), work(log, "second"), work(log, "third")];
    void queue.take("restart", first.run);
    await settle();
    const waiting = [queue.take("restart", second.run), queue.take("restart", third.run)];
    for (const each of [first, second, third]) each.end();
    await Promise.all(waiting);
    assert.deepEqual(log, ["first begins", "first ends", "second begins", "second ends"]);
});

test("a stop between two restarts is not lost", async () => {
    const [log, queue]: [string[], Queue] = [[], new Queue()];
    const names = ["restart", "stop", "restart"];
    const done = names.map((name) => {
        const each = work(log, name);
        each.end();
        return queue.take(name, each.run);
    });
    await Promise.all(done);
    assert.deepEqual(
        log.filter((line) => line.endsWith("begins")),
        names.map((name) => `${name} begins`),
    );
});

test("what fails is told to whoever wanted it, and the next has its turn all the same", async () => {
    const [log, queue]: [string[], Queue] = [[], new Queue()];
    const failing = queue.take("start", () => Promise.reject(new Error("no Python")));
    const next = work(log, "next");
    next.end();
    const done = queue.take("stop", next.run);
    await assert.rejects(failing, /no Python/);
    await done;
    assert.deepEqual(log, ["next begins", "next ends"]);
});
