// Where the time went: for every verifier a row, and in it a column for each candidate, in the order they came.

import { average, columns } from "./crowd";
import { svg } from "./drawing";
import type { Drawn, Picture } from "./messages";
import { clock, MINUTES } from "./scales";

const ROW = 36;
/** Where the totals end and where the columns begin. */
const TOTAL = 152;
const START = 168;
/** The least and the most that a column takes, the space beside it included. */
const COLUMN = { least: 5, most: 20 };

/** Draws the times. All rows have the same scale, so that they can be compared. */
export function times(nodes: readonly Drawn[], picture: Picture, width: number): SVGSVGElement {
    const room = Math.max(width - START, COLUMN.least);
    const groups = columns(nodes, Math.floor(room / COLUMN.least));
    const step = Math.min(COLUMN.most, room / Math.max(groups.length, 1));
    const rows = picture.verifiers.map((_, index) =>
        groups.map((group) => average(group.map((each) => each.times[index] ?? 0))),
    );
    const most = Math.max(1e-9, ...rows.flat());
    const drawing = svg("svg", {
        class: "chart",
        role: "img",
        "aria-label": picture.summaries.times,
        width,
        height: ROW * rows.length + 20,
    });
    rows.forEach((row, index) => {
        const floor = ROW * (index + 1) - 4;
        const total = nodes.reduce((sum, each) => sum + (each.times[index] ?? 0), 0);
        drawing.append(
            svg("text", { class: "quiet", x: 0, y: floor - 4 }, shortened(picture.verifiers[index] ?? "")),
            svg("line", {
                class: "lane",
                x1: START,
                x2: START + step * groups.length,
                y1: floor + 0.5,
                y2: floor + 0.5,
            }),
            ...row.map((value, at) =>
                bar(groups[at] ?? [], START + at * step, step, floor, (value / most) * (ROW - 10)),
            ),
            svg("text", { class: "number", x: TOTAL, y: floor - 4, "text-anchor": "end" }, seconds(total, picture)),
        );
    });
    const end = `#${nodes.at(-1)?.number ?? 0}`;
    const below = ROW * rows.length + 14;
    drawing.append(svg("text", { class: "quiet", x: START, y: below }, "#1"));
    if (step * groups.length > 48) {
        drawing.append(
            svg("text", { class: "quiet", x: START + step * groups.length, y: below, "text-anchor": "end" }, end),
        );
    }
    return drawing;
}

/** A number of seconds as it stands beside a row and in a table. */
export function seconds(value: number, picture: Picture): string {
    if (value >= MINUTES) return `${clock(value, value)} min`;
    const digits = value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2;
    const format = { maximumFractionDigits: digits, minimumFractionDigits: digits };
    return `${value.toLocaleString(picture.language, format)} s`;
}

function bar(group: readonly Drawn[], x: number, step: number, floor: number, height: number): SVGElement {
    // What took any time at all is seen.
    const tall = height > 0 ? Math.max(height, 1) : 0;
    const gap = step > 6 ? 2 : 1;
    return svg(
        "g",
        { class: "bar", "data-id": group[0]?.id },
        svg("rect", { class: "reach", x, y: floor - ROW + 8, width: step, height: ROW - 8 }),
        svg("rect", { class: "column", x: x + gap / 2, y: floor - tall, width: step - gap, height: tall }),
        svg("title", {}, group.map((each) => each.label).join("\n")),
    );
}

function shortened(name: string): string {
    return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}
