// What an agent gives a tool: read from whatever a language model has made up. Pure: no editor in here.

/** A function of a file, by its name or by a line of it, from 1. */
export interface NamedFunction {
    readonly path: string;
    readonly qualname?: string;
    readonly line?: number;
}

/** What a tool is given. The names are those of the schema in `package.json`. */
export interface ToolInput {
    readonly target: string;
    readonly instruction: string;
    readonly faster: boolean;
    readonly preserve: boolean;
    readonly against: string;
}

/** Input that is not of this form; the words are for the language model, which may try again. */
export class BadInput extends Error {}

/**
 * Reads the input of a tool; what is left out has its default.
 *
 * @throws BadInput when something has another type.
 */
export function readInput(input: unknown): ToolInput {
    const given = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
    const target = textIn(given, "target", "");
    if (target === "") throw new BadInput("target is missing: name a function, such as shop/till.py::Till.total");
    return {
        target,
        instruction: textIn(given, "instruction", ""),
        faster: given.faster === true,
        preserve: given.preserve === true,
        against: textIn(given, "against", "HEAD"),
    };
}

function textIn(given: Readonly<Record<string, unknown>>, name: string, other: string): string {
    const value = given[name] ?? other;
    if (typeof value !== "string") throw new BadInput(`${name} is no text`);
    return value.trim();
}

/**
 * Reads FILE::NAME or FILE:LINE. NAME may be that of a test, with class and case, as pytest prints it.
 *
 * @throws BadInput when it is something else.
 */
export function readTarget(target: string): NamedFunction {
    const [, named, names] = /^(.+?\.py)::(.+)$/su.exec(target) ?? [];
    if (named !== undefined && names !== undefined) {
        return { path: named, qualname: names.replace(/\[.*$/su, "").replaceAll("::", ".") };
    }
    const [, file, line] = /^(.+\.py):([1-9]\d{0,8})$/su.exec(target) ?? [];
    if (file !== undefined && line !== undefined) return { path: file, line: Number(line) };
    throw new BadInput(`${target} names no function; give FILE::NAME, such as shop/till.py::Till.total, or FILE:LINE`);
}
