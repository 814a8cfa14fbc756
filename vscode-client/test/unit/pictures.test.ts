// The geometry of the score history: scales, places of candidates, and marks that would lie on one another.

import assert from "node:assert/strict";
import { test } from "node:test";

import { branches, CELL, neighbour, way } from "../../src/webview/branches";
import type { Placed } from "../../src/webview/branches";
import { clusters, columns, spared } from "../../src/webview/crowd";
import { clock, scale, ticks, timeTicks } from "../../src/webview/scales";

/** So many candidates in so many lanes, each made from the one before it in its line. */
function lines(count: number, slots: number): Placed[] {
    return Array.from({ length: count }, (_, index) => ({
        id: `c${index}`,
        slot: index % slots,
        parent: index < slots ? null : `c${index - slots}`,
    }));
}

test("ticks are round, begin at 0 and reach the greatest number", () => {
    assert.deepEqual(ticks(64, 4), [0, 20, 40, 60, 80]);
    assert.deepEqual(ticks(0.031, 3), [0, 0.02, 0.04]);
    assert.deepEqual(ticks(1, 4), [0, 0.5, 1]);
    for (const most of [0.0004, 0.7, 3, 9.99, 10, 63, 1e6]) {
        const found = ticks(most, 4);
        assert.ok((found.at(-1) ?? 0) >= most, `${most}`);
        assert.ok(found.length >= 2 && found.length <= 6, `${most}: ${found.join()}`);
    }
});

test("time is counted by sixties", () => {
    assert.deepEqual(timeTicks(100, 4), [0, 30, 60, 90, 120]);
    assert.deepEqual(timeTicks(1.4, 4), [0, 0.5, 1, 1.5]);
    assert.deepEqual(timeTicks(20 * 3600, 4).at(-1), 20 * 3600);
    assert.equal(clock(90, 120), "1:30");
    assert.equal(clock(59.999, 240), "1:00");
    assert.equal(clock(1.5, 2), "1.5");
});

test("a scale turns its ends into its ends", () => {
    const place = scale(0, 10, 200, 20);
    assert.deepEqual([place(0), place(5), place(10)], [200, 110, 20]);
    assert.equal(scale(3, 3, 7, 9)(3), 7);
});

test("no two candidates have the same place, and all are within the width", () => {
    for (const [count, slots] of [
        [1, 1],
        [8, 3],
        [64, 8],
        [1000, 16],
        [1000, 1],
    ] as const) {
        for (const width of [100, 368, 1200]) {
            const { spots, height } = branches(lines(count, slots), width);
            assert.equal(spots.length, count);
            assert.equal(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size, count);
            assert.ok(spots.every(({ x }) => x + CELL.width / 2 <= Math.max(width, CELL.gutter + CELL.width)));
            assert.ok(spots.every(({ y }) => y > 0 && y < height));
        }
    }
});

test("a lane is a row of its own, and candidates are read line by line", () => {
    const { spots, lines: names } = branches(lines(6, 2), 1000);
    assert.deepEqual(
        spots.map((each) => each.id),
        ["c0", "c2", "c4", "c1", "c3", "c5"],
    );
    assert.deepEqual(
        spots.map((each) => each.depth),
        [0, 1, 2, 0, 1, 2],
    );
    assert.deepEqual(
        names.map((each) => each.slot),
        [0, 1],
    );
});

test("the arrow keys walk through every candidate and stop at the ends", () => {
    const { spots } = branches(lines(6, 2), 1000);
    const walk = (key: string, from: string): string | undefined => neighbour(spots, from, key);
    assert.equal(walk("ArrowRight", "c0"), "c2");
    assert.equal(walk("ArrowLeft", "c2"), "c0");
    assert.equal(walk("ArrowDown", "c2"), "c3");
    assert.equal(walk("ArrowUp", "c3"), "c2");
    assert.equal(walk("End", "c1"), "c5");
    assert.equal(walk("Home", "c5"), "c1");
    assert.equal(walk("ArrowUp", "c0"), undefined);
    assert.equal(walk("ArrowRight", "c5"), undefined);
    assert.equal(walk("x", "c0"), undefined);
    assert.equal(walk("ArrowRight", "nobody"), undefined);
});

test("a way goes straight in a row, and around where a line goes on in the next one", () => {
    const { spots } = branches(lines(3, 1), CELL.gutter + 2 * CELL.width);
    const [first, second, third] = spots;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.equal(way(first, second, 10), `M${first.x + 10} ${first.y}H${second.x - 10}`);
    assert.match(way(second, third, 10), /^M.*h6V.*H.*V.*H/u);
});

test("marks that lie on one another are one, and none is lost", () => {
    const points = Array.from({ length: 1000 }, (_, index) => ({ x: (index * 7) % 400, y: 50, of: index }));
    const found = clusters(points, 20, (of) => (of % 2 === 0 ? "even" : "odd"));
    assert.equal(
        found.reduce((sum, each) => sum + 1 + each.others.length, 0),
        1000,
    );
    for (const parity of [0, 1]) {
        const same = found.filter((each) => each.of % 2 === parity).sort((one, other) => one.x - other.x);
        same.forEach((each, index) => {
            const next = same[index + 1];
            assert.ok(next === undefined || next.x - each.x >= 20);
        });
    }
});

test("more candidates than columns share them evenly", () => {
    assert.deepEqual(columns([1, 2, 3], 8), [[1], [2], [3]]);
    assert.deepEqual(columns([1, 2, 3, 4, 5], 2), [
        [1, 2, 3],
        [4, 5],
    ]);
    assert.deepEqual(columns([], 4), []);
});

test("labels leave each other room, and the last one is there", () => {
    const labels = [0, 10, 45, 50].map((x) => ({ x, y: 0, of: x }));
    assert.deepEqual(
        spared(labels, 40).map((each) => each.of),
        [10, 50],
    );
});
