// A lock between the windows of one machine, which is no longer held when the process that holds it has died.

import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How often a lock that another window holds is tried again, in milliseconds. */
const PAUSE = 300;

/** After so long, a lock without its holder's number is one whose holder died while taking it, in milliseconds. */
const TAKING = 10_000;

/** Whether a process of this number lives. */
export function lives(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        // A process of somebody else's lives as well.
        return error instanceof Error && "code" in error && error.code === "EPERM";
    }
}

/**
 * Does something while no other window does anything under the same lock, which is a folder of this name.
 *
 * @throws the reason of the signal, when it says that nobody waits any more.
 */
export async function withLock<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    while (!(await took(folder))) {
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    try {
        return await work();
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

async function took(folder: string): Promise<boolean> {
    const holder = join(folder, "pid");
    try {
        await mkdir(folder);
    } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
        const pid = Number(await readFile(holder, "utf8").catch(() => ""));
        if (pid > 0 ? !lives(pid) : await isOld(folder)) await rm(folder, { recursive: true, force: true });
        return false;
    }
    await writeFile(holder, String(process.pid));
    return true;
}

async function isOld(folder: string): Promise<boolean> {
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs > TAKING;
}
