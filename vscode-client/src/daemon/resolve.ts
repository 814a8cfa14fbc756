// Which program is the server, and why that one: decided from what was found, without running anything.

/** Why a program is the server. */
export type Reason = "setting" | "own" | "path" | "lastResort";

/** A program to run as the server, and why it is this one. */
export interface Choice {
    readonly command: string;
    readonly args: readonly string[];
    readonly reason: Reason;
    /** What it says its version is; empty when it did not say. */
    readonly version: string;
    /** The Python that the extension's own environment was made with; empty for any other program. */
    readonly python: string;
}

/** A program that says it is certo. */
export interface Program {
    readonly command: string;
    readonly version: string;
}

/** An environment of the extension's own, whose certo answers. */
export interface Own extends Program {
    /** The Python it was made with. */
    readonly python: string;
}

/** What there is to choose from. */
export interface Found {
    /** The program that the setting `certo.server.command` names; undefined when it is not set. */
    readonly setting: Program | undefined;
    readonly own: Own | undefined;
    /** `certo` on the path. */
    readonly onPath: Program | undefined;
    /** The version that the extension carries; undefined when it carries none. */
    readonly carried: string | undefined;
}

/** What is to be done: run a program, make an environment first, or give up. */
export type Decision =
    | { readonly kind: "run"; readonly choice: Choice }
    | { readonly kind: "make" }
    | { readonly kind: "none" };

/**
 * Decides for the user's setting; else for the environment that the extension has made; else for a `certo` on the path of
 * the very version that the extension carries, for it needs no installing; else for making an environment.
 *
 * The environment comes before the path, so that what happens to be on the path does not change the server of a window.
 */
export function resolve(found: Found): Decision {
    if (found.setting !== undefined) return run(found.setting, "setting");
    if (found.own !== undefined) return { kind: "run", choice: runOwn(found.own) };
    if (found.carried === undefined) {
        return found.onPath === undefined ? { kind: "none" } : run(found.onPath, "path");
    }
    return found.onPath?.version === found.carried ? run(found.onPath, "path") : { kind: "make" };
}

/** How the server of an environment of the extension's own is run. */
export function runOwn(own: Own): Choice {
    // Isolated: neither the variables of the user's shell nor files of the project change what is imported.
    return { ...own, args: ["-I", "-m", "certo", "serve"], reason: "own" };
}

/** What is run when no environment could be made: a `certo` of another version, as long as both have a protocol in common. */
export function lastResort(onPath: Program | undefined): Choice | undefined {
    return onPath === undefined ? undefined : choice(onPath, "lastResort");
}

function run(program: Program, reason: Reason): Decision {
    return { kind: "run", choice: choice(program, reason) };
}

function choice(program: Program, reason: Reason): Choice {
    return { command: program.command, version: program.version, args: ["serve"], reason, python: "" };
}

/** The version in what `certo --version` prints; empty when it is something else. */
export function versionIn(printed: string): string {
    return /^certo (\S+)\s*$/m.exec(printed)?.[1] ?? "";
}

/** The version in the name of a wheel; undefined when it is no wheel of certo. */
export function versionOfWheel(name: string): string | undefined {
    return /^certo-([^-]+)-.*\.whl$/.exec(name)?.[1];
}
