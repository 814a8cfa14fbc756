// What candidates cost over time: a mark for each, and a line for the best one so far.

import { chartOf, stairs } from "./axes";
import type { Chart } from "./axes";
import { clusters, spared } from "./crowd";
import type { Cluster, Point } from "./crowd";
import { svg } from "./drawing";
import { mark } from "./marks";
import type { Drawn, Picture } from "./messages";

const LANE = 28;
/** How close marks may come to each other before they are drawn as one, in pixels. */
const ROOM = 20;
/** In the lane there is room for their number as well. */
const LANE_ROOM = 40;
const RADIUS = 5;

/** Draws the scores; those without a price stand in a lane of their own below the others. */
export function scores(nodes: readonly Drawn[], picture: Picture, width: number): SVGSVGElement {
    const judged = nodes.filter((each) => each.standing !== "judging");
    const chart = chartOf({
        width,
        lane: LANE,
        seconds: picture.seconds,
        most: Math.max(1, ...judged.map((each) => each.cost ?? 0)),
        summary: picture.summaries.scores,
        words: picture.words,
        valueAxis: picture.costAxis,
        number: (value) => value.toLocaleString(picture.language),
    });
    const point = (node: Drawn): Point<Drawn> => ({ x: chart.across(node.at), y: height(chart, node), of: node });
    const priced = judged.filter((each) => each.cost !== null).map(point);
    const others = judged.filter((each) => each.cost === null).map(point);
    const marks = [...clusters(priced, ROOM, standing), ...clusters(others, LANE_ROOM, standing)];
    chart.picture.append(
        ...lane(chart, picture.words.noCost),
        svg("path", { class: "best", d: stairs(bestOver(chart, picture), chart.across(picture.seconds)) }),
        ...marks.map((each) => drawn(each, hasRoom(each, marks))),
        ...labels(chart, nodes, picture),
    );
    return chart.picture;
}

function height(chart: Chart, node: Drawn): number {
    return node.cost === null ? chart.frame.bottom + LANE / 2 : chart.up(node.cost);
}

function lane({ frame }: Chart, words: string): SVGElement[] {
    const y = frame.bottom + LANE;
    return [
        svg("line", { class: "lane", x1: frame.left, x2: frame.right, y1: y, y2: y }),
        svg("text", { class: "quiet", x: frame.left - 8, y: y - 10, "text-anchor": "end" }, words),
    ];
}

function bestOver(chart: Chart, picture: Picture): { x: number; y: number }[] {
    return picture.improvements.map(({ at, value }) => ({ x: chart.across(at), y: chart.up(value) }));
}

function standing(node: Drawn): string {
    return node.standing;
}

/** Whether a number can be written to the right of a mark. */
function hasRoom(cluster: Cluster<Drawn>, all: readonly Cluster<Drawn>[]): boolean {
    return !all.some(({ x, y }) => x > cluster.x && x - cluster.x < ROOM * 1.5 && Math.abs(y - cluster.y) < RADIUS * 2);
}

function drawn({ x, y, of, others }: Cluster<Drawn>, roomy: boolean): SVGElement {
    const several = others.length > 0;
    const group = svg(
        "g",
        { class: "dot", transform: `translate(${x} ${y})`, "data-id": of.id },
        svg("title", {}, [of, ...others].map((each) => each.label).join("\n")),
        mark(of.standing, RADIUS + (several ? 1 : 0)),
    );
    if (several && roomy)
        group.append(svg("text", { class: "count", x: RADIUS + 4, y: 3.5 }, String(others.length + 1)));
    return group;
}

/** The number of each candidate that was the best one for a while, above where it became that. */
function labels(chart: Chart, nodes: readonly Drawn[], picture: Picture): SVGElement[] {
    const numbers = new Map(nodes.map((each) => [each.id, each.number]));
    const points = picture.improvements.map(({ at, value, id }) => ({
        x: chart.across(at),
        y: chart.up(value),
        of: `#${numbers.get(id) ?? 0}`,
    }));
    return spared(points, 40).map(({ x, y, of }) => svg("text", { class: "number", x: x + 8, y: y - 8 }, of));
}
