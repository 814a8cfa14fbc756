// The lock between windows holds among many processes that find its holder dead at the same time.

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { withLock } from "../../src/daemon/lock";

const PROCESSES = 4;
const ROUNDS = 4;
/** How many want the lock in each process, over how long they come, and how long they wait, in milliseconds. */
const WAITING = 40;
const COMING = 60;
const PATIENCE = 100;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What each process does: many in it want the lock, and each one fails that finds another inside. */
async function contend(folder: string): Promise<void> {
    const inside = join(folder, "inside");
    const want = async (): Promise<void> => {
        await pause(Math.random() * COMING);
        const signal = AbortSignal.timeout(PATIENCE);
        try {
            await withLock(join(folder, "lock"), signal, async () => {
                mkdirSync(inside);
                await pause(1);
                rmdirSync(inside);
            });
        } catch (error) {
            if (error !== signal.reason) throw error;
        }
    };
    await Promise.all(Array.from({ length: WAITING }, want));
}

/** A process that dies while it holds the lock. */
async function die(folder: string): Promise<void> {
    const { signal } = new AbortController();
    await withLock(join(folder, "lock"), signal, () => Promise.resolve(process.kill(process.pid, "SIGKILL")));
}

/** How a process ended that plays such a part. */
function ended(part: "contend" | "die", folder: string): Promise<unknown> {
    const child = fork(__filename, { env: { ...process.env, CERTO_PART: part, CERTO_FOLDER: folder }, execArgv: [] });
    return new Promise((resolve) => {
        child.once("exit", (code, signal) => {
            resolve(signal ?? code);
        });
    });
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "certo-lock-"));
    try {
        await work(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

const { CERTO_PART: part, CERTO_FOLDER: place = "" } = process.env;
if (part !== undefined) {
    (part === "die" ? die(place) : contend(place)).catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
    });
} else {
    test("of many processes that find the holder dead, one at a time holds the lock", () =>
        inFolder(async (folder) => {
            for (let round = 0; round < ROUNDS; round++) {
                assert.equal(await ended("die", folder), "SIGKILL");
                const ends = await Promise.all(Array.from({ length: PROCESSES }, () => ended("contend", folder)));
                assert.deepEqual(ends, Array<number>(PROCESSES).fill(0));
            }
        }));

    test("who waits for it no more is told so", () =>
        inFolder(async (folder) => {
            const cancelling = new AbortController();
            await withLock(join(folder, "lock"), cancelling.signal, async () => {
                cancelling.abort(new Error("nobody waits"));
                const second = withLock(join(folder, "lock"), cancelling.signal, () => Promise.resolve("had it"));
                await assert.rejects(second, /nobody waits/u);
            });
        }));
}
