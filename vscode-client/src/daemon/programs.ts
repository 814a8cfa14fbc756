// Running other programs to the end, and finding them on the path. Nothing here knows the editor.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";

/** How a program has ended. */
export interface Ended {
    /** Its exit code; null when it was killed, or could not be started. */
    readonly code: number | null;
    readonly out: string;
    /** What it wrote to both its outputs, in the order in which it came. */
    readonly all: readonly string[];
}

/** What a program is run with, besides its arguments. */
export interface Running {
    readonly signal?: AbortSignal | undefined;
    /** How long it may take, in milliseconds; then it is killed. */
    readonly patience?: number;
    /** Is told every line as it comes. */
    readonly onLine?: (line: string) => void;
}

/** Runs a program to its end; it is killed, with what it has started, when the signal says so. It never rejects. */
export function runToEnd(command: string, args: readonly string[], running: Running = {}): Promise<Ended> {
    return new Promise((resolve) => {
        const out: string[] = [];
        const all: string[] = [];
        const child = spawn(command, args, {
            stdio: ["ignore", "pipe", "pipe"],
            cwd: homedir(),
            detached: process.platform !== "win32",
            windowsHide: true,
        });
        const end = (): void => {
            killWithChildren(child);
        };
        const timer = running.patience === undefined ? undefined : setTimeout(end, running.patience);
        running.signal?.addEventListener("abort", end);
        if (running.signal?.aborted === true) end();
        const hear = (line: string): void => {
            all.push(line);
            running.onLine?.(line);
        };
        createInterface({ input: child.stdout }).on("line", (line) => {
            out.push(line);
            hear(line);
        });
        createInterface({ input: child.stderr }).on("line", hear);
        const finish = (code: number | null): void => {
            clearTimeout(timer);
            running.signal?.removeEventListener("abort", end);
            resolve({ code, out: out.join("\n"), all });
        };
        child.on("error", (error) => {
            all.push(error.message);
            finish(null);
        });
        child.on("close", finish);
    });
}

function killWithChildren(child: ChildProcess): void {
    if (child.pid === undefined) return;
    if (process.platform === "win32") {
        spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
            "error",
            () => child.kill(),
        );
        return;
    }
    try {
        // It leads a process group of its own, so that what it has started ends with it.
        process.kill(-child.pid, "SIGKILL");
    } catch {
        child.kill("SIGKILL");
    }
}

/**
 * Where a program is on the path; undefined when it is not there.
 *
 * Only absolute folders count, and the file is given by its whole path: by its name alone, Windows would look in the
 * working folder first, which is the project's.
 */
export async function onPath(name: string): Promise<string | undefined> {
    const endings = process.platform === "win32" ? [".exe"] : [""];
    for (const folder of (process.env.PATH ?? "").split(delimiter).filter((each) => isAbsolute(each))) {
        for (const ending of endings) {
            const file = join(folder, name + ending);
            if (await isRunnable(file)) return file;
        }
    }
    return undefined;
}

/** The program that a user means: an absolute path, one below `~`, or a name on the path. */
export async function meant(program: string): Promise<string | undefined> {
    const spelled = program.startsWith("~/") ? join(homedir(), program.slice(2)) : program;
    if (isAbsolute(spelled)) return (await isRunnable(spelled)) ? spelled : undefined;
    return /[\\/]/.test(spelled) ? undefined : await onPath(spelled);
}

async function isRunnable(file: string): Promise<boolean> {
    try {
        await access(file, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
