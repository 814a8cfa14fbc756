// The two axes of a chart: lines to read by, numbers, and what they count.

import { svg } from "./drawing";
import type { Words } from "./messages";
import { clock, MINUTES, scale, ticks, timeTicks } from "./scales";
import type { Scale } from "./scales";

/** Where the chart's own area is within its picture, in pixels. */
export interface Frame {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
    readonly width: number;
    readonly height: number;
}

/** A chart that has its axes and nothing else yet. */
export interface Chart {
    readonly picture: SVGSVGElement;
    readonly frame: Frame;
    readonly across: Scale;
    readonly up: Scale;
}

/** What a chart is about. */
export interface About {
    readonly width: number;
    /** The room below the axis of numbers, for what has none. */
    readonly lane: number;
    readonly seconds: number;
    readonly most: number;
    readonly summary: string;
    readonly words: Words;
    readonly valueAxis: string;
    readonly number: (value: number) => string;
}

const HEIGHT = 232;

/** Begins a chart of something over time. */
export function chartOf(about: About): Chart {
    const values = ticks(about.most, 4);
    const widest = Math.max(...values.map((each) => about.number(each).length));
    const left = Math.max(56, 16 + widest * 7);
    const frame: Frame = {
        left,
        right: about.width - 20,
        top: 32,
        bottom: HEIGHT - 44 - about.lane,
        width: about.width,
        height: HEIGHT,
    };
    const times = timeTicks(about.seconds, Math.min(8, Math.max(2, Math.floor((frame.right - left) / 72))));
    const longest = times.at(-1) ?? 1;
    const across = scale(0, longest, frame.left, frame.right);
    const up = scale(0, values.at(-1) ?? 1, frame.bottom, frame.top);
    const picture = svg(
        "svg",
        { class: "chart", role: "img", "aria-label": about.summary, width: about.width, height: HEIGHT },
        ...values.map((value) => beside(frame, up(value), about.number(value))),
        ...times.map((value) => below(frame, about.lane, across(value), clock(value, longest))),
        svg("text", { class: "axis", x: 0, y: 14 }, about.valueAxis),
        svg(
            "text",
            { class: "axis", x: frame.right, y: HEIGHT - 4, "text-anchor": "end" },
            timeAxis(about.words, longest),
        ),
    );
    return { picture, frame, across, up };
}

/** A line that keeps its value until the next step. */
export function stairs(points: readonly { readonly x: number; readonly y: number }[], end: number): string {
    const [first, ...rest] = points;
    if (first === undefined) return "";
    return `M${first.x} ${first.y}${rest.map(({ x, y }) => `H${x}V${y}`).join("")}H${end}`;
}

function timeAxis(words: Words, longest: number): string {
    return longest < MINUTES ? words.inSeconds : words.inMinutes;
}

function beside(frame: Frame, y: number, words: string): SVGElement {
    return svg(
        "g",
        { class: "tick" },
        svg("line", { x1: frame.left, x2: frame.right, y1: y, y2: y }),
        svg("text", { x: frame.left - 8, y: y + 4, "text-anchor": "end" }, words),
    );
}

function below(frame: Frame, lane: number, x: number, words: string): SVGElement {
    const y = frame.bottom + lane;
    return svg(
        "g",
        { class: "tick" },
        svg("line", { x1: x, x2: x, y1: y, y2: y + 4 }),
        svg("text", { x, y: y + 18, "text-anchor": "middle" }, words),
    );
}
