// What language models took over time, and how much they may take.

import { chartOf, stairs } from "./axes";
import { svg } from "./drawing";
import type { Picture, Spending } from "./messages";

/** Up to how many times what was spent a limit is still drawn; one further away would make everything flat. */
const FAR = 4;

/** Draws what was spent. */
export function spent(spending: Spending, picture: Picture, width: number): SVGSVGElement {
    const last = spending.steps.at(-1)?.value ?? 0;
    const budget = spending.budget !== null && spending.budget <= last * FAR ? spending.budget : null;
    const dollars = spending.unit === "dollars";
    const chart = chartOf({
        width,
        lane: 0,
        seconds: picture.seconds,
        most: Math.max(last, budget ?? 0, dollars ? 1e-4 : 1),
        summary: picture.summaries.spending,
        words: picture.words,
        valueAxis: picture.spendAxis,
        number: (value) => amount(value, spending, picture.language),
    });
    const points = [{ at: 0, value: 0 }, ...spending.steps].map(({ at, value }) => ({
        x: chart.across(at),
        y: chart.up(value),
    }));
    chart.picture.append(svg("path", { class: "spent", d: stairs(points, chart.across(picture.seconds)) }));
    if (budget !== null) {
        const y = chart.up(budget);
        chart.picture.append(
            svg("line", { class: "limit", x1: chart.frame.left, x2: chart.frame.right, y1: y, y2: y }),
            svg("text", { class: "number", x: chart.frame.left + 8, y: y - 6 }, picture.words.allowed),
        );
    }
    return chart.picture;
}

/** An amount as a person reads it. */
export function amount(value: number, spending: Spending, language: string): string {
    if (spending.unit !== "dollars") return value.toLocaleString(language);
    return value.toLocaleString(language, {
        style: "currency",
        currency: "USD",
        minimumFractionDigits: value === 0 || value >= 0.1 ? 2 : undefined,
        maximumFractionDigits: value >= 0.1 || value === 0 ? 2 : undefined,
        maximumSignificantDigits: value >= 0.1 || value === 0 ? undefined : 2,
    });
}
