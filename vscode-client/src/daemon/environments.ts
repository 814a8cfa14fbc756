// The environments that the extension makes for the server: one for each wheel, in a folder of the editor's own.

import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { lives, withLock } from "./lock";
import { runToEnd } from "./programs";
import type { Running } from "./programs";
import { versionIn, versionOfWheel } from "./resolve";
import type { Own } from "./resolve";

/** The wheel of certo that the extension carries. */
export interface Wheel {
    readonly file: string;
    readonly version: string;
    /** What tells this wheel from every other, also from one of the same version. */
    readonly mark: string;
}

/** The wheel in a folder; undefined when there is none. */
export async function wheelIn(folder: string): Promise<Wheel | undefined> {
    for (const name of await readdir(folder).catch(() => [])) {
        const version = versionOfWheel(name);
        if (version === undefined) continue;
        const file = join(folder, name);
        const mark = createHash("sha256")
            .update(await readFile(file))
            .digest("hex")
            .slice(0, 12);
        return { file, version, mark };
    }
    return undefined;
}

/** What stands in the file that says that an environment is whole. */
interface Made {
    readonly folder: string;
    readonly python: string;
    /** The user's setting it was made by; empty when there was none. */
    readonly wanted: string;
}

/** The Python to make an environment with, and the user's setting that says so, if any. */
export interface With {
    readonly executable: string;
    readonly version: string;
    readonly wanted: string;
}

/** How far the making has come. */
export type Stage = "waiting" | "environment" | "packages";

/** Who follows the making of an environment, and may end it. */
export interface Making {
    readonly signal: AbortSignal;
    readonly at: (stage: Stage) => void;
    readonly onLine: (line: string) => void;
}

/** An environment could not be made: what was done, and the last that was printed. */
export class NotMade extends Error {
    constructor(
        readonly stage: Stage,
        readonly printed: readonly string[],
    ) {
        super(printed.at(-1) ?? stage);
        this.name = "NotMade";
    }
}

/**
 * The environments below a folder.
 *
 * An environment is made in a folder with a name of its own, which stays: programs in it have its path written in them. A
 * small file, written when everything else is done, says which folder is the environment for a wheel; what has no such
 * file was never finished, is never used, and is swept away.
 */
export class Environments {
    constructor(private readonly folder: string) {}

    /** The environment for a wheel, if there is one that works and was made by this setting; by any, if it is empty. */
    async find(wheel: Wheel, wanted: string): Promise<Own | undefined> {
        const record = await read(this.recordOf(wheel));
        if (record === undefined || (wanted !== "" && record.wanted !== wanted)) return undefined;
        const command = pythonOf(record.folder);
        const { out } = await runToEnd(command, ["-I", "-m", "certo", "--version"], { patience: 20_000 });
        const version = versionIn(out);
        if (version !== wheel.version) return undefined;
        await writeFile(join(record.folder, `${USED_BY}${process.pid}`), "");
        return { command, version, python: record.python };
    }

    /**
     * Makes the environment for a wheel, or takes the one that another window has made meanwhile.
     *
     * @throws NotMade when one of the programs that make it fails; the signal's reason when that ends it.
     */
    async make(wheel: Wheel, python: With, making: Making): Promise<Own> {
        await mkdir(this.folder, { recursive: true });
        making.at("waiting");
        return await withLock(join(this.folder, "lock"), making.signal, async () => {
            const others = await this.find(wheel, python.wanted);
            if (others !== undefined) return others;
            await this.sweep(undefined);
            const folder = join(this.folder, `${wheel.version}-${randomUUID().slice(0, 8)}`);
            try {
                await this.fill(folder, wheel, python.executable, making);
            } catch (error) {
                await rm(folder, { recursive: true, force: true });
                throw error;
            }
            await this.write(wheel, { folder, python: python.executable, wanted: python.wanted });
            const made = await this.find(wheel, python.wanted);
            if (made === undefined) throw new NotMade("packages", []);
            await this.sweep(folder);
            return made;
        });
    }

    private async fill(folder: string, wheel: Wheel, python: string, making: Making): Promise<void> {
        const running: Running = { signal: making.signal, onLine: making.onLine };
        making.at("environment");
        await this.step("environment", python, ["-I", "-m", "venv", folder], running);
        making.at("packages");
        const pip = [
            "-I",
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--no-input",
            "--progress-bar",
            "off",
        ];
        await this.step("packages", pythonOf(folder), [...pip, wheel.file], running);
    }

    private async step(stage: Stage, command: string, args: readonly string[], running: Running): Promise<void> {
        const ended = await runToEnd(command, args, running);
        running.signal?.throwIfAborted();
        if (ended.code !== 0) throw new NotMade(stage, ended.all);
    }

    private async write(wheel: Wheel, record: Made): Promise<void> {
        const file = this.recordOf(wheel);
        await writeFile(`${file}.new`, JSON.stringify(record));
        await rename(`${file}.new`, file);
    }

    private recordOf(wheel: Wheel): string {
        return join(this.folder, `${wheel.version}-${wheel.mark}.json`);
    }

    /** Removes what is no environment, and when one has just been made, all others that no living window uses. */
    private async sweep(made: string | undefined): Promise<void> {
        const names = await readdir(this.folder);
        const records = names.filter((name) => name.endsWith(".json"));
        const whole = new Map<string, string>();
        for (const name of records) {
            const record = await read(join(this.folder, name));
            if (record !== undefined) whole.set(record.folder, name);
        }
        for (const name of names) {
            const folder = join(this.folder, name);
            if (name === "lock" || records.includes(name) || folder === made) continue;
            const record = whole.get(folder);
            if (record !== undefined && (made === undefined || (await isUsed(folder)))) continue;
            if (record !== undefined) await rm(join(this.folder, record), { force: true });
            await rm(folder, { recursive: true, force: true });
        }
    }
}

/** How a file in an environment is called that says which process uses it, before the number of the process. */
const USED_BY = ".used-by-";

async function isUsed(folder: string): Promise<boolean> {
    const names = await readdir(folder).catch(() => []);
    return names.some((name) => name.startsWith(USED_BY) && lives(Number(name.slice(USED_BY.length))));
}

function pythonOf(folder: string): string {
    return process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

async function read(file: string): Promise<Made | undefined> {
    try {
        const found: unknown = JSON.parse(await readFile(file, "utf8"));
        return isMade(found) ? found : undefined;
    } catch {
        return undefined;
    }
}

function isMade(value: unknown): value is Made {
    if (typeof value !== "object" || value === null) return false;
    if (!("folder" in value && "python" in value && "wanted" in value)) return false;
    return [value.folder, value.python, value.wanted].every((each) => typeof each === "string");
}
