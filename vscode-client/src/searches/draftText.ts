// The code in what a language model has written so far. Pure: no editor in here.

const FENCE = /^\s*`{3,}[^\n`]*$/u;

/** The code of an answer that is being written: what stands in its last fence, or all of it where there is none yet. */
export function codeOf(text: string): string {
    const lines = text.split("\n");
    const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
    if (fences.length === 0) return text;
    const opened = fences.length % 2 === 1 ? fences.at(-1) : fences.at(-2);
    const closed = fences.length % 2 === 1 ? undefined : fences.at(-1);
    return lines.slice((opened ?? 0) + 1, closed).join("\n");
}

/** The last line of code with something on it; empty while there is none. */
export function lastLine(text: string): string {
    return codeOf(text).trimEnd().split("\n").at(-1)?.trim() ?? "";
}
