// A lock between the windows of one machine, which is no longer held when the process that holds it has died.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How often a lock that another window holds is tried again, in milliseconds. */
const PAUSE = 300;

/** How a file in a turn is called that says whose it is, before the number of the process. */
const HELD_BY = "held-by-";

/** How the file in a turn is called that says that it is over. */
const OVER = "over";

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
 * Turns in it are numbered, and the last one says whether the lock is held. A turn is never taken away: who has found a
 * holder dead a while ago can so do no more than try to take a turn that others have had since. They are empty files in
 * small folders, two for each time that an environment was made.
 *
 * @throws the reason of the signal, when it says that nobody waits any more.
 */
export async function withLock<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await mkdir(folder, { recursive: true });
    let turn = await took(folder);
    while (turn === undefined) {
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        turn = await took(folder);
    }
    try {
        return await work();
    } finally {
        await writeFile(join(turn, OVER), "");
    }
}

/** Takes the next turn; undefined when the last one is not over, or another process was faster. */
async function took(folder: string): Promise<string | undefined> {
    const numbers = (await readdir(folder)).map(Number).filter((number) => Number.isInteger(number));
    const last = Math.max(0, ...numbers);
    if (last > 0 && (await isHeld(join(folder, String(last))))) return undefined;
    const turn = join(folder, String(last + 1));
    // It says whose it is from its first moment, for it comes in one piece: a folder takes no other's place that is not empty.
    const made = join(folder, `new-${randomUUID()}`);
    await mkdir(made);
    await writeFile(join(made, `${HELD_BY}${process.pid}`), "");
    try {
        await rename(made, turn);
        return turn;
    } catch (error) {
        await rm(made, { recursive: true, force: true });
        // Systems call it by different names that the turn is there already.
        if ((await readdir(turn).catch(() => [])).length > 0) return undefined;
        throw error;
    }
}

async function isHeld(turn: string): Promise<boolean> {
    const names = await readdir(turn);
    return !names.includes(OVER) && names.some((name) => name.startsWith(HELD_BY) && lives(holderIn(name)));
}

function holderIn(name: string): number {
    return Number(name.slice(HELD_BY.length));
}
