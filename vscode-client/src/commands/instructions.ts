// The instructions that were given for functions, to be given again. Pure: no editor in here.

/** An instruction, and what it was about. */
export interface Given {
    readonly about: string;
    readonly text: string;
}

/** How many are remembered. */
const MOST = 50;

/** The name of the function that a line is in, as its text has it; undefined outside of any. Lines count from 0. */
export function functionAt(lines: readonly string[], line: number): string | undefined {
    let depth = Infinity;
    for (let at = Math.min(line, lines.length - 1); at >= 0; at--) {
        const text = lines[at] ?? "";
        // The end of a signature that stands on several lines is no deeper than its beginning.
        if (/^\s*(?:\)|$)/u.test(text)) continue;
        const indent = text.length - text.trimStart().length;
        const name = /^(?:async\s+)?def\s+(\w+)/u.exec(text.trimStart())?.[1];
        if (name !== undefined && (indent < depth || at === line)) return name;
        depth = Math.min(depth, indent);
    }
    return undefined;
}

/** The instructions with one more, the last first. */
export function withGiven(all: readonly Given[], given: Given): Given[] {
    const others = all.filter((each) => each.about !== given.about || each.text !== given.text);
    return [given, ...others].slice(0, MOST);
}

/** What was asked of a function, the last first. */
export function givenFor(all: readonly Given[], about: string): string[] {
    return all.filter((each) => each.about === about).map((each) => each.text);
}
