// Which of some functions a line is in, by their indentation. Pure.

import { functionIn } from "./functionText";

/**
 * The innermost of some functions that a line is in, as its place among them; undefined where it is in none.
 *
 * Each is told of by the line of its `def`, or of a decorator of it. Lines count from 0.
 */
export function enclosing(text: string, line: number, functions: readonly number[]): number | undefined {
    const lines = text.split(/\r\n|\r|\n/u);
    let found: number | undefined;
    let innermost = -1;
    functions.forEach((start, index) => {
        // With a line break at its end, the last part of its text is empty.
        const end = start + functionIn(text, start + 1).split("\n").length - 1;
        if (start > innermost && firstOf(lines, start) <= line && line < end) [found, innermost] = [index, start];
    });
    return found;
}

/** The line of the first decorator above a line, or that line itself. */
function firstOf(lines: readonly string[], start: number): number {
    let first = start;
    while (lines[first - 1]?.trimStart().startsWith("@") === true) first--;
    return first;
}
