// The mark of a candidate: its shape and its sign say what has become of it, and its colour says so once more.

import { svg } from "./drawing";
import type { Standing, Words } from "./messages";

/** Draws the mark of a standing around the origin. */
export function mark(standing: Standing, radius: number): SVGElement {
    const group = svg("g", { class: `mark ${standing}` }, shape(standing, radius));
    const sign = strokes(standing, radius * 0.48);
    if (sign !== "") group.append(svg("path", { class: "sign", d: sign }));
    return group;
}

/** Draws a mark as a picture of its own, beside words that say the same. */
export function markAlone(standing: Standing, radius: number): SVGSVGElement {
    const reach = radius + 1;
    const box = `${-reach} ${-reach} ${2 * reach} ${2 * reach}`;
    return svg(
        "svg",
        { viewBox: box, width: 2 * reach, height: 2 * reach, "aria-hidden": "true" },
        mark(standing, radius),
    );
}

/** The order in which standings are explained. */
const ORDER: readonly Standing[] = ["verified", "notApart", "unverified", "failed", "undecided", "judging"];

/** What the marks mean, for those that are in the picture. */
export function legend(used: ReadonlySet<Standing>, words: Words): Element[] {
    return ORDER.filter((each) => used.has(each)).map((each) => {
        const entry = document.createElement("li");
        entry.append(markAlone(each, 7), words.standings[each]);
        return entry;
    });
}

function shape(standing: Standing, radius: number): SVGElement {
    switch (standing) {
        case "verified":
        case "judging":
            return svg("circle", { class: "body", r: radius });
        case "notApart":
        case "unverified":
        case "undecided":
            return svg("path", { class: "body", d: diamond(radius * 1.12) });
        case "failed": {
            const half = radius * 0.86;
            return svg("rect", { class: "body", x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 2 });
        }
    }
}

function diamond(reach: number): string {
    return `M0 ${-reach}L${reach} 0L0 ${reach}L${-reach} 0Z`;
}

function strokes(standing: Standing, size: number): string {
    switch (standing) {
        case "verified":
        case "notApart":
            return `M${-size} 0L${-size * 0.25} ${size * 0.75}L${size} ${-size * 0.7}`;
        case "failed":
            return `M${-size} ${-size}L${size} ${size}M${-size} ${size}L${size} ${-size}`;
        case "unverified":
            return `M${-size * 0.55} ${-size * 0.4}A${size * 0.6} ${size * 0.6} 0 1 1 0 ${size * 0.25}V${size * 0.45}M0 ${size * 0.95}v0.1`;
        case "undecided":
            return `M${-size * 0.8} 0H${size * 0.8}`;
        case "judging":
            return `M${-size} 0h0.1M0 0h0.1M${size} 0h0.1`;
    }
}
