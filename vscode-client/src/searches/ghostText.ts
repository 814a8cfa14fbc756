// A change as ghost text: what the editor can show in grey within a line, before it is there.

import type { Hunk } from "../protocol";

/** Text that a line would have in place of all of it; `line` counts from 0. */
export interface GhostText {
    readonly line: number;
    readonly before: string;
    readonly after: string;
}

/**
 * The change as ghost text; undefined if it does not fit. Ghost text only adds: to one line, whose own text stays in its
 * order, and perhaps with further lines after it.
 */
export function ghostTextOf(hunks: readonly Hunk[], lineAt: (line: number) => string): GhostText | undefined {
    const [hunk, ...rest] = hunks;
    if (hunk === undefined || rest.length > 0 || hunk.removed.length > 1 || hunk.added.length === 0) return undefined;
    const added = hunk.added.map((line) => line.replace(/\r?\n$/, "")).join("\n");
    // Lines that come before another one are shown behind the one above.
    const line = hunk.removed.length === 1 ? hunk.line - 1 : hunk.line - 2;
    if (line < 0) return undefined;
    const before = lineAt(line);
    const after = hunk.removed.length === 1 ? added : `${before}\n${added}`;
    return isWithin(before, after) ? { line, before, after } : undefined;
}

/** Whether a text is left of another one when some characters are taken out of that. */
function isWithin(text: string, longer: string): boolean {
    let at = 0;
    for (const character of longer) if (character === text[at]) at += 1;
    return at === text.length;
}
