// Marks that would lie on one another: they are drawn as one with their number, so that a thousand stay readable.

/** Something at a place. */
export interface Point<T> {
    readonly x: number;
    readonly y: number;
    readonly of: T;
}

/** Marks that are drawn as one, where the first of them is. */
export interface Cluster<T> extends Point<T> {
    readonly others: readonly T[];
}

/** Takes points together that are less than `room` pixels from the first of them; of the same `kind` only. */
export function clusters<T>(points: readonly Point<T>[], room: number, kind: (of: T) => string): Cluster<T>[] {
    const found: (Point<T> & { others: T[] })[] = [];
    for (const point of points) {
        const near = found.find(
            (each) => Math.hypot(each.x - point.x, each.y - point.y) < room && kind(each.of) === kind(point.of),
        );
        if (near === undefined) found.push({ ...point, others: [] });
        else near.others.push(point.of);
    }
    return found;
}

/** Consecutive things in as many columns as there is room for, as evenly as can be. */
export function columns<T>(all: readonly T[], most: number): T[][] {
    const each = Math.max(1, Math.ceil(all.length / Math.max(most, 1)));
    const found: T[][] = [];
    for (let start = 0; start < all.length; start += each) found.push(all.slice(start, start + each));
    return found;
}

/** Of labels from left to right, those that leave each other so many pixels of room; the last one is always there. */
export function spared<T>(labels: readonly Point<T>[], room: number): Point<T>[] {
    const kept: Point<T>[] = [];
    for (const label of [...labels].sort((one, other) => other.x - one.x)) {
        const right = kept.at(-1);
        if (right === undefined || right.x - label.x >= room) kept.push(label);
    }
    return kept.reverse();
}

/** The average of some numbers; 0 of none. */
export function average(numbers: readonly number[]): number {
    return numbers.length === 0 ? 0 : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
