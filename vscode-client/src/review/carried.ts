// What a candidate makes of a text: of the one its search began with, and of what that has become. Pure.

import type { Hunk } from "../protocol";

const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu;

/** The lines of a text, each with its break. */
function linesOf(text: string): string[] {
    return text.match(LINE) ?? [];
}

function sameLine(one: string | undefined, other: string | undefined): boolean {
    return one?.replace(/[\r\n]+$/u, "") === other?.replace(/[\r\n]+$/u, "");
}

/** The text that a search began with, from what one of its candidates makes of it. */
export function originalOf(text: string, hunks: readonly Hunk[]): string {
    const lines = linesOf(text);
    // Hunks count the lines of the base, which above each of them is restored by then.
    for (const hunk of hunks) lines.splice(hunk.line - 1, hunk.added.length, ...hunk.removed);
    return lines.join("");
}

/** Whether two texts are the same but for how their lines are broken, which an editor may make uniform. */
export function sameText(one: string, other: string): boolean {
    return one === other || one.replace(/\r\n?/gu, "\n") === other.replace(/\r\n?/gu, "\n");
}

/**
 * What a candidate makes of the text as it is now, where what was changed since lies all above or all below its hunks.
 *
 * Undefined where it does not; then only the server can say whether both changes go together.
 */
export function carried(base: string, now: string, hunks: readonly Hunk[]): string | undefined {
    const before = linesOf(base);
    const after = linesOf(now);
    let head = 0;
    while (head < Math.min(before.length, after.length) && sameLine(before[head], after[head])) head++;
    let tail = 0;
    const most = Math.min(before.length, after.length) - head;
    while (tail < most && sameLine(before[before.length - 1 - tail], after[after.length - 1 - tail])) tail++;
    const moved = after.length - before.length;
    const placed: Hunk[] = [];
    for (const hunk of hunks) {
        const above = hunk.line - 1 + hunk.removed.length <= head;
        const below = hunk.line - 1 >= before.length - tail;
        if (!above && !below) return undefined;
        placed.push(above ? hunk : { ...hunk, line: hunk.line + moved });
    }
    return withHunks(now, placed);
}

/** A text with hunks put into it, which count its own lines. */
export function withHunks(text: string, hunks: readonly Hunk[]): string {
    const lines = linesOf(text);
    for (const hunk of [...hunks].reverse()) {
        lines.splice(hunk.line - 1, hunk.removed.length, ...hunk.added);
    }
    return lines.join("");
}

/** The line of the first thing that a candidate changes, from 0, in a text that has its hunks. */
export function firstChange(text: string, hunks: readonly Hunk[]): number {
    const [first] = hunks;
    if (first === undefined) return 0;
    const lines = linesOf(text);
    const [wanted] = first.added;
    // The same line may stand elsewhere too, and the text may have moved: the nearest one is meant.
    const found = lines.flatMap((line, index) => (sameLine(line, wanted) ? [index] : []));
    const at = found.sort((one, other) => Math.abs(one - first.line + 1) - Math.abs(other - first.line + 1))[0] ?? -1;
    return Math.min(at === -1 ? first.line - 1 : at, Math.max(lines.length - 1, 0));
}
