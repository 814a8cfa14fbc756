// Where a test stands, from the name that it is known by. Pure.

/** Where a test stands. */
export interface TestPlace {
    /** The file, relative to the project; null for an example in the function's own document. */
    readonly path: string | null;
    /** The names that lead to a test function, its class first; none for an example. */
    readonly names: readonly string[];
    /** The line of an example in a docstring, from 1; null when it has to be looked for. */
    readonly line: number | null;
}

/** Where the test of a name stands; undefined for one that is in no file, such as an example that was given. */
export function testPlace(id: string): TestPlace | undefined {
    const example = /^doctest:.*:(\d+)$/su.exec(id)?.[1];
    if (example !== undefined) return { path: null, names: [], line: Number(example) };
    const [path = "", ...names] = id.split("::");
    if (!path.endsWith(".py") || names.length === 0) return undefined;
    // What a parameter is may be anything, with colons in it as well.
    const [whole = ""] = id.slice(path.length + 2).split("[");
    return { path, names: whole.split("::"), line: null };
}

/** The line of a test in the text of its file, from 1; the last of its names that is found, or the first line. */
export function lineOf(place: TestPlace, text: string): number {
    if (place.line !== null) return place.line;
    const lines = text.split(/\r\n|\r|\n/u);
    let at = 0;
    for (const dotted of place.names) {
        // A doctest is called by the dotted name of its function.
        const name = dotted.split(".").at(-1) ?? dotted;
        const wanted = new RegExp(`^\\s*(?:async\\s+def|def|class)\\s+${name}(?!\\w)`, "u");
        const found = lines.findIndex((line, index) => index >= at && wanted.test(line));
        if (found === -1) break;
        at = found;
    }
    return at + 1;
}
