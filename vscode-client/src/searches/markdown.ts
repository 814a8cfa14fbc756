// Words of others in Markdown: text and code, and nothing else. The server's `as_markdown` does the same. Pure: no editor.

import { visible } from "../inert";

/** What could be markup in a word, or an address: also a file, for Paraguay has .py. */
const MARKUP = /[`*~|[\]\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=[a-z#])|\S\.[\p{L}\p{N}_]|@|\/\//iu;

/** The first word of a line that would make it a heading, a list or a quotation. */
const BEGINS_BLOCK = /^(?:>.*|[-+=#]+|\d+[.)])$/u;

const NUMBER = /^\(?[~$]?\d+(?:\.\d+)?[),;:%]*$/u;

/** Code between backticks. */
const CODE = /(?<!`)`([^`]+)`(?!`)/u;

const STOPS = /[,;:.!?]+$/u;

type Part = readonly [words: string, isCode: boolean];

/**
 * Words on one line of Markdown, in which nothing is markup but code.
 *
 * What stands between backticks is code, and so is every word that could be taken for markup or a link. With `inCell`
 * vertical lines are escaped, which would end the cell of a table even in code.
 */
export function inMarkdown(words: string, inCell = false): string {
    const line = visible(words).replace(/\s+/gu, " ").trim();
    const joined: Part[] = [];
    for (const [said, isCode] of partsOf(line)) {
        const last = joined.at(-1);
        if (said === "") continue;
        if (last?.[1] === isCode) joined[joined.length - 1] = [last[0] + said, isCode];
        else joined.push([said, isCode]);
    }
    return joined.map(([said, isCode]) => (isCode ? codeSpan(said, inCell) : said)).join("");
}

function partsOf(line: string): Part[] {
    return line.split(CODE).flatMap((part, place): Part[] => {
        if (place % 2 === 1) return [[part, true]];
        return runsOf(part.split(" "), place === 0).flatMap(([run, isCode]) =>
            isCode ? trimmed(run) : [[run, false]],
        );
    });
}

/** Runs of words that are set as code, or are not; a comma or a stop ends one, and a bracket that is open does not. */
function runsOf(words: readonly string[], begins: boolean): Part[] {
    const runs: Part[] = [];
    let depth = 0;
    for (const [place, word] of words.entries()) {
        const isCode = depth > 0 || isMarkup(word, begins && place === 0);
        const space = place === 0 ? "" : " ";
        const last = runs.at(-1);
        if (last?.[1] === isCode && (depth > 0 || !STOPS.test(last[0]))) {
            runs[runs.length - 1] = [`${last[0]}${space}${word}`, isCode];
        } else {
            runs.push([space, false], [word, isCode]);
        }
        depth = Math.max(0, depth + count(word, "[") - count(word, "]"));
    }
    return runs;
}

function isMarkup(word: string, first: boolean): boolean {
    return (first && BEGINS_BLOCK.test(word)) || (MARKUP.test(word) && !NUMBER.test(word));
}

/** What is set as code, without what only punctuates it. */
function trimmed(run: string): Part[] {
    const code = run.replace(STOPS, "");
    const after = run.slice(code.length);
    const open = count(code, "(") - count(code, ")");
    if (code.startsWith("(") && open > 0)
        return [
            ["(", false],
            [code.slice(1), true],
            [after, false],
        ];
    if (code.endsWith(")") && open < 0)
        return [
            [code.slice(0, -1), true],
            [`)${after}`, false],
        ];
    return code === ""
        ? [[run, true]]
        : [
              [code, true],
              [after, false],
          ];
}

/** Code within as many backticks as nowhere stand in it. */
function codeSpan(code: string, inCell: boolean): string {
    const runs = code.match(/`+/gu) ?? [];
    const fence = "`".repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
    const pad = /^[` ]|[` ]$/u.test(code) ? " " : "";
    // Parsers differ in whether a backslash takes the meaning of the next one in a cell: an odd number is safe in all.
    const said = inCell ? code.replace(/(\\*)\|/gu, "$1$1\\|") : code;
    return `${fence}${pad}${said}${pad}${fence}`;
}

function count(words: string, one: string): number {
    return words.split(one).length - 1;
}
