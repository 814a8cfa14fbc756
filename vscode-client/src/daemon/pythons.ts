// Which Python the extension's own environment is made with: where to look, in which order, and what will do.

/** The oldest Python that certo's server runs on. */
export const OLDEST: readonly [number, number] = [3, 11];

/** Where a Python may be. */
export interface Lead {
    /** What the user would call the place. */
    readonly from: "setting" | "extension" | "path";
    readonly command: string;
    readonly args: readonly string[];
}

/** What is known before looking. */
export interface Known {
    /** The setting `certo.server.python`; empty when it is not set. */
    readonly setting: string;
    /** The interpreter of the Python extension; undefined when there is none. */
    readonly extension: string | undefined;
    readonly windows: boolean;
}

/** Where to look for a Python, the best place first. What a user has set is taken or nothing is. */
export function leads(known: Known): Lead[] {
    if (known.setting !== "") return [{ from: "setting", command: known.setting, args: [] }];
    const names = ["python3.13", "python3.12", "python3.11", "python3", "python"];
    return [
        ...(known.extension === undefined
            ? []
            : [{ from: "extension" as const, command: known.extension, args: [] as string[] }]),
        ...names.map((command) => ({ from: "path" as const, command, args: [] as string[] })),
        ...(known.windows ? [{ from: "path" as const, command: "py", args: ["-3"] }] : []),
    ];
}

/** What a Python prints of itself; what it lacks to make an environment with is named. */
export const PROBE = [
    "import importlib.util, json, sys",
    "lacks = [name for name in ('venv', 'ensurepip') if importlib.util.find_spec(name) is None]",
    "print(json.dumps({'version': list(sys.version_info[:3]), 'executable': sys.executable, 'lacks': lacks}))",
].join("\n");

/** A Python that has answered. */
export interface Python {
    readonly executable: string;
    readonly version: readonly number[];
    /** The modules of the standard library that it lacks, though environments are made with them. */
    readonly lacks: readonly string[];
}

/** Reads what `PROBE` printed; undefined when that was no Python's answer. */
export function readProbe(printed: string): Python | undefined {
    try {
        const read: unknown = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
        return isPython(read) ? read : undefined;
    } catch {
        return undefined;
    }
}

function isPython(value: unknown): value is Python {
    if (typeof value !== "object" || value === null) return false;
    if (!("executable" in value && "version" in value && "lacks" in value)) return false;
    const { executable, version, lacks } = value;
    return (
        typeof executable === "string" &&
        executable !== "" &&
        Array.isArray(version) &&
        version.every((part) => typeof part === "number") &&
        Array.isArray(lacks)
    );
}

/** Why a Python will not do. */
export type Flaw = { readonly kind: "old" } | { readonly kind: "lacks"; readonly modules: readonly string[] };

/** What is wrong with a Python for our purpose; undefined when it will do. */
export function flawOf(python: Python): Flaw | undefined {
    const [major = 0, minor = 0] = python.version;
    const [oldestMajor, oldestMinor] = OLDEST;
    if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) return { kind: "old" };
    return python.lacks.length > 0 ? { kind: "lacks", modules: python.lacks } : undefined;
}

/** A Python's version as people write it. */
export function dotted(python: Python): string {
    return python.version.join(".");
}
