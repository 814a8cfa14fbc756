// The numbers of each chart as a table, for those who would rather read or cannot see. Made when it is opened.

import { html } from "./drawing";
import type { Drawn, Picture } from "./messages";
import { amount } from "./spending";
import { seconds } from "./times";

/** A part of the page that can be drawn and can be read. */
export type Part = "tree" | "scores" | "spending" | "times";

/** Makes the table of a part. */
export function tableOf(part: Part, nodes: readonly Drawn[], picture: Picture): HTMLTableElement {
    const { head, rows } = CONTENTS[part](nodes, picture);
    const cell = (words: string, index: number): HTMLElement =>
        index === 0 ? html("th", { scope: "row" }, words) : html("td", {}, words);
    return html(
        "table",
        {},
        html("caption", {}, picture.summaries[part]),
        html("thead", {}, html("tr", {}, ...head.map((each) => html("th", { scope: "col" }, each)))),
        html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map(cell)))),
    );
}

interface Contents {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
}

const CONTENTS: Readonly<Record<Part, (nodes: readonly Drawn[], picture: Picture) => Contents>> = {
    tree: (nodes, { words, lines }) => {
        const numbers = new Map(nodes.map((each) => [each.id, `#${each.number}`]));
        return {
            head: [words.candidate, words.verdict, words.line, words.parent],
            rows: nodes.map((each) => [
                `#${each.number}`,
                words.standings[each.standing],
                lines[each.slot] ?? "",
                each.parent === null ? "–" : (numbers.get(each.parent) ?? "–"),
            ]),
        };
    },
    scores: (nodes, picture) => ({
        head: [picture.words.candidate, picture.words.verdict, picture.words.cost, picture.words.at],
        rows: nodes.map((each) => [
            `#${each.number}${each.id === picture.best ? ` (${picture.words.best})` : ""}`,
            picture.words.standings[each.standing],
            each.cost === null ? picture.words.noCost : each.cost.toLocaleString(picture.language),
            seconds(each.at, picture),
        ]),
    }),
    spending: (_, picture) => {
        const { spending, spendAxis, words } = picture;
        const steps = spending?.steps ?? [];
        return {
            head: [words.at, spendAxis],
            rows: steps.map(({ at, value }) => [
                seconds(at, picture),
                spending === null ? "" : amount(value, spending, picture.language),
            ]),
        };
    },
    times: (nodes, picture) => ({
        head: [picture.words.candidate, ...picture.verifiers],
        rows: nodes.map((each) => [
            `#${each.number}`,
            ...each.times.map((time) => (time === null ? "–" : seconds(time, picture))),
        ]),
    }),
};
