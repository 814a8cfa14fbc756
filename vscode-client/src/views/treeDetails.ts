// What a row of the Certo view tells and opens only when it is asked to: its tooltip, and the place of its test.

import { MarkdownString, Range, Uri, l10n, workspace } from "vscode";
import type { TreeItem } from "vscode";

import { visible } from "../inert";
import { testFile } from "../review/testFiles";
import { lineOf, testPlace } from "../review/testPlaces";
import type { TestPlace } from "../review/testPlaces";
import { cardOf } from "../searches/card";
import { codeOf } from "../searches/draftText";
import { inMarkdown } from "../searches/markdown";
import { nameOf, spentLine, why } from "../searches/searchWords";
import type { Search } from "../searches/state";
import { candidateOf, draftOf, findingOf, ideaOf, standingTest, testOfRow } from "../searches/tree";
import type { Kind, Row } from "../searches/tree";
import { whyRight } from "../searches/whyRight";
import { besideInWords } from "../searches/words";

/** Completes a row that the pointer rests on, or that is clicked. */
export async function complete(search: Search, row: Row, item: TreeItem): Promise<TreeItem> {
    const said = TOOLTIPS[row.kind]?.(search, row);
    item.tooltip = typeof said === "string" ? visible(said) : said;
    const place = testPlace(testOfRow(search, row)?.id ?? "");
    if (place !== undefined) {
        const uri = testFile(search, place);
        const line = await lineIn(uri, place);
        const selection = new Range(line, 0, line, 0);
        item.command = {
            title: l10n.t("Open the Test"),
            command: "vscode.open",
            arguments: [uri, { preview: true, selection }],
        };
    }
    return item;
}

const TOOLTIPS: Readonly<Partial<Record<Kind, (search: Search, row: Row) => MarkdownString | string | undefined>>> = {
    search: (search) => new MarkdownString(searchTooltip(search)),
    candidate: candidateTooltip,
    before: reasonsTooltip,
    others: othersTooltip,
    finding: (search, row) => findingOf(search, row)?.message,
    idea: ideaTooltip,
    draft: draftTooltip,
    test: testTooltip,
    problem: (search, row) => search.baseline?.problems[row.at ?? 0],
    outcome: (search) => why(search, l10n),
    spent: (search) => spentLine(search, l10n),
};

function candidateTooltip(search: Search, row: Row): MarkdownString | undefined {
    const candidate = candidateOf(search, row);
    return candidate === undefined ? undefined : new MarkdownString(cardOf(search, candidate, false, l10n));
}

function reasonsTooltip(search: Search, row: Row): string | undefined {
    const candidate = candidateOf(search, row);
    return candidate === undefined ? undefined : whyRight(search, candidate, l10n).join(" ");
}

function othersTooltip(search: Search, row: Row): string | undefined {
    const candidate = candidateOf(search, row);
    return candidate === undefined ? undefined : besideInWords(search, candidate, l10n);
}

function draftTooltip(search: Search, row: Row): MarkdownString | undefined {
    const draft = draftOf(search, row);
    if (draft === undefined) return undefined;
    const text = new MarkdownString(inMarkdown(l10n.t("{0} is writing", draft.model)));
    return text.appendCodeblock(visible(codeOf(draft.text)), "python");
}

function ideaTooltip(search: Search, row: Row): string | undefined {
    const idea = ideaOf(search, row);
    return idea === undefined ? undefined : [idea.text, idea.dropped].filter((part) => part !== "").join("\n\n");
}

function testTooltip(search: Search, row: Row): string | undefined {
    const known = standingTest(search, row);
    return known === undefined ? undefined : `${known.test.id}\n${known.test.message}`;
}

function searchTooltip(search: Search): string {
    const file = workspace.asRelativePath(Uri.parse(search.uri));
    const { goal, instruction, generator, strategy } = search;
    const lines = [
        `**${inMarkdown(nameOf(search))}** — ${inMarkdown(file)}`,
        instruction === "" ? "" : l10n.t("*asked for:* {0}", inMarkdown(instruction)),
        goal === "" ? "" : l10n.t("*to do:* {0}, by {1} ({2})", goal, inMarkdown(generator), inMarkdown(strategy)),
        l10n.t("*spent:* {0}", inMarkdown(spentLine(search, l10n))),
        inMarkdown(why(search, l10n)),
    ];
    return lines.filter((line) => line !== "").join("  \n");
}

/** The line of a test in its file, from 0. */
async function lineIn(uri: Uri, place: TestPlace): Promise<number> {
    const open = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (open !== undefined) return lineOf(place, open.getText()) - 1;
    try {
        return lineOf(place, new TextDecoder().decode(await workspace.fs.readFile(uri))) - 1;
    } catch {
        // A file that is gone says so when it is opened.
        return 0;
    }
}
