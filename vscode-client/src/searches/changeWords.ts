// What a candidate changes, in as few words as tell it from others. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Hunk } from "../protocol";
import type { Candidate } from "./state";

type L10n = Pick<typeof l10n, "t">;

/** Lines that say nothing of what a function does. */
const IDLE = /^(?:import |from |#|"""|'''|\)|\]|\}|$)/u;

/** A body that is still to be written. */
const HOLE = /^(?:raise NotImplementedError\b.*|pass|\.\.\.)$/u;

const TOKENS = /\w+|\s+|[-+*/%<>=!&|^@:]+|[^\w\s]/gu;

/**
 * What a candidate changes: "line 35: half + 1 → half - 1"; of more than a line the first that says something. Code is
 * set as `quote` says.
 */
export function changeInShort(
    { hunks }: Pick<Candidate, "hunks">,
    l10n: L10n,
    quote: (code: string) => string = (code) => code,
): string {
    const [first] = hunks;
    if (first === undefined) return "";
    const removed = told(first.removed);
    const added = told(first.added);
    const lines = hunks.reduce((all, hunk) => all + Math.max(hunk.removed.length, hunk.added.length), 0);
    const said = `${inOneLine(removed, added, l10n, quote)}${lines > 1 ? " …" : ""}`;
    // Where a body is missing, every candidate begins there.
    return HOLE.test(removed) ? said : l10n.t("line {0}: {1}", first.line, said);
}

function inOneLine(removed: string, added: string, l10n: L10n, quote: (code: string) => string): string {
    if (added === "") return l10n.t("{0} left out", quote(removed));
    if (removed === "" || HOLE.test(removed)) return quote(added);
    return apart(removed, added).map(quote).join(" → ");
}

/** The first of these lines that says what is done. */
function told(lines: Hunk["added"]): string {
    const all = lines.map((line) => line.trim());
    return all.find((line) => !IDLE.test(line)) ?? all.find((line) => line !== "") ?? "";
}

/** Two lines without what they begin and end with alike, but for the operands around what differs. */
function apart(one: string, other: string): [string, string] {
    const ours = one.match(TOKENS) ?? [];
    const theirs = other.match(TOKENS) ?? [];
    const { start, end } = alike(ours, theirs);
    const short = [ours, theirs].map((tokens) => {
        let until = tokens.length - end;
        while (until < tokens.length && !/^\w/u.test(tokens[until] ?? "")) until++;
        return tokens
            .slice(start, until + 1)
            .join("")
            .trim();
    });
    const [before = one, after = other] = short;
    return balanced(before) && balanced(after) && before !== after ? [before, after] : [one, other];
}

/** How many tokens to leave out at both ends; the operands around what differs stay. */
function alike(ours: readonly string[], theirs: readonly string[]): { start: number; end: number } {
    const most = Math.min(ours.length, theirs.length);
    let start = 0;
    while (start < most && ours[start] === theirs[start]) start++;
    let end = 0;
    while (end < most - start && ours.at(-1 - end) === theirs.at(-1 - end)) end++;
    while (start > 0 && !/^\w/u.test(ours[start] ?? "")) start--;
    // An operator before what differs says little without its other operand.
    if (/^[^\w\s]/u.test(ours[start - 2] ?? "")) start = Math.max(0, start - 4);
    return { start, end };
}

function balanced(code: string): boolean {
    const count = (signs: RegExp): number => (code.match(signs) ?? []).length;
    return count(/[([{]/gu) === count(/[)\]}]/gu);
}
