// Where each candidate stands in the picture of the search: a row for every lane, from left to right.

import type { Drawn } from "./messages";

/** What decides a candidate's place. */
export type Placed = Pick<Drawn, "id" | "slot" | "parent">;

/** The place of a candidate: the middle of its mark, and the row and column it is in. */
export interface Spot {
    readonly id: string;
    readonly x: number;
    readonly y: number;
    readonly row: number;
    readonly column: number;
    /** How many ancestors it has. */
    readonly depth: number;
}

/** A lane: its name stands beside its first row. */
export interface Line {
    readonly slot: number;
    readonly y: number;
}

/** The whole picture. */
export interface Branches {
    /** In the order in which they are read: line by line, and in each as they came. */
    readonly spots: readonly Spot[];
    readonly lines: readonly Line[];
    readonly height: number;
}

/** The sizes of the picture, in pixels. */
export const CELL = {
    width: 48,
    height: 52,
    /** How far below the top of its cell the middle of a mark is; its number stands beneath. */
    middle: 18,
    /** The room for the names of the lines. */
    gutter: 72,
} as const;

/** Puts every candidate at its place. A line that is too long for the width goes on in the next row. */
export function branches(nodes: readonly Placed[], width: number): Branches {
    const across = Math.max(1, Math.floor((width - CELL.gutter) / CELL.width));
    const depths = depthsOf(nodes);
    const spots: Spot[] = [];
    const lines: Line[] = [];
    let row = 0;
    for (const [slot, members] of bySlot(nodes)) {
        lines.push({ slot, y: row * CELL.height + CELL.middle });
        members.forEach((node, index) => {
            const column = index % across;
            const here = row + Math.floor(index / across);
            spots.push({
                id: node.id,
                x: CELL.gutter + (column + 0.5) * CELL.width,
                y: here * CELL.height + CELL.middle,
                row: here,
                column,
                depth: depths.get(node.id) ?? 0,
            });
        });
        row += Math.ceil(members.length / across);
    }
    return { spots, lines, height: row * CELL.height };
}

/** Where the arrow keys, Home and End lead from a candidate; undefined where they lead nowhere. */
export function neighbour(spots: readonly Spot[], id: string, key: string): string | undefined {
    const at = spots.findIndex((each) => each.id === id);
    const here = spots[at];
    return here === undefined ? undefined : STEPS[key]?.(spots, at, here)?.id;
}

const STEPS: Readonly<Record<string, (spots: readonly Spot[], at: number, here: Spot) => Spot | undefined>> = {
    ArrowRight: (spots, at) => spots[at + 1],
    ArrowLeft: (spots, at) => spots[at - 1],
    ArrowUp: (spots, _, here) => nearest(spots, here, here.row - 1),
    ArrowDown: (spots, _, here) => nearest(spots, here, here.row + 1),
    Home: (spots, _, here) => spots.find((each) => each.row === here.row),
    End: (spots, _, here) => spots.findLast((each) => each.row === here.row),
};

/** The way of a line from a candidate to one that was made from it, from the edge of one mark to that of the other. */
export function way(from: Spot, to: Spot, radius: number): string {
    if (from.row === to.row) return `M${from.x + radius} ${from.y}H${to.x - radius}`;
    if (to.column === 0 && to.row === from.row + 1) {
        // A lane that goes on in the next row: through the space between the rows.
        const between = to.y - CELL.middle;
        const left = to.x - CELL.width / 2;
        return `M${from.x + radius} ${from.y}h6V${between}H${left}V${to.y}H${to.x - radius}`;
    }
    const middle = (from.x + to.x) / 2;
    return `M${from.x + radius} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x - radius} ${to.y}`;
}

function bySlot(nodes: readonly Placed[]): [number, Placed[]][] {
    const found = new Map<number, Placed[]>();
    for (const node of nodes) {
        const line = found.get(node.slot);
        if (line === undefined) found.set(node.slot, [node]);
        else line.push(node);
    }
    return [...found].sort(([one], [other]) => one - other);
}

/** How many ancestors each has. A parent comes before its children, so one look at each is enough. */
function depthsOf(nodes: readonly Placed[]): Map<string, number> {
    const depths = new Map<string, number>();
    for (const { id, parent } of nodes) {
        const above = parent === null ? undefined : depths.get(parent);
        depths.set(id, above === undefined ? 0 : above + 1);
    }
    return depths;
}

/** The spot of a row that is the least far away to the left or right. */
function nearest(spots: readonly Spot[], here: Spot, row: number): Spot | undefined {
    return spots
        .filter((each) => each.row === row)
        .sort((one, other) => Math.abs(one.column - here.column) - Math.abs(other.column - here.column))[0];
}
