// The processes of this machine, as /proc tells of them: who is whose child, and who was started by a test.

import { readdirSync, readFileSync } from "node:fs";

/** One process. */
export interface Process {
    readonly pid: number;
    readonly parent: number;
    readonly command: string;
}

/** Every process that can be read now, but those that are dead and only not buried yet. */
export function processes(): Process[] {
    return readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map((name) => read(Number(name)))
        .filter((each) => each !== undefined);
}

/** What a process has started, and what that has started, and so on. */
export function below(pid: number): Process[] {
    const all = processes();
    const found = [pid];
    // The list grows while it is walked.
    for (const each of found) found.push(...all.filter(({ parent }) => parent === each).map((child) => child.pid));
    return all.filter((each) => each.pid !== pid && found.includes(each.pid));
}

/** The processes that live in this home, whoever started them, and all that they have started. */
export function living(home: string): Process[] {
    const here = processes().filter(({ pid }) => environment(pid).includes(`HOME=${home}`));
    const known = new Map(here.map((each) => [each.pid, each]));
    for (const { pid } of here) for (const each of below(pid)) known.set(each.pid, each);
    return [...known.values()];
}

/** Kills a process; that it is gone already is fine. */
export function kill(pid: number): void {
    try {
        process.kill(pid, "SIGKILL");
    } catch {
        // It ended by itself.
    }
}

function read(pid: number): Process | undefined {
    try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The name of the program stands in brackets, and may have any characters in it.
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z") return undefined;
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return { pid, parent: Number(parent), command };
    } catch {
        return undefined;
    }
}

function environment(pid: number): string[] {
    try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    } catch {
        return [];
    }
}
