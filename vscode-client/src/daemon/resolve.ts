// Which program is the server, and why that one: a value, found without running anything.

/** A program to run as the server, and the sentence that says why it is this one. */
export interface Choice {
    readonly command: string;
    readonly args: readonly string[];
    readonly why: string;
}

/** What there is to choose from. */
export interface Found {
    /** The setting `certo.server.command`; empty when it is not set. */
    readonly setting: string;
    /** The program of the environment that the extension has made; undefined when there is none. */
    readonly own: string | undefined;
    /** `certo` on the path; undefined when there is none. */
    readonly onPath: string | undefined;
}

/** The program to run; undefined when an environment has to be made first. */
export function resolve(found: Found): Choice | undefined {
    const args = ["serve"];
    if (found.setting !== "") return { command: found.setting, args, why: "the setting certo.server.command names it" };
    if (found.own !== undefined)
        return { command: found.own, args, why: "the extension has made an environment for it" };
    if (found.onPath !== undefined) return { command: found.onPath, args, why: "it is on the path" };
    return undefined;
}
