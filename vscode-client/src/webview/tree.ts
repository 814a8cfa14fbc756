// The picture of the search: every candidate at its place, to be walked through with the arrow keys.

import { branches, CELL, neighbour, way } from "./branches";
import type { Branches } from "./branches";
import { html, svg } from "./drawing";
import { mark } from "./marks";
import type { Drawn, Picture } from "./messages";

const RADIUS = 11;
/** Of more candidates than that, ways from line to line are drawn for the chosen one only. */
const CROWD = 128;

/** What the tree tells of: a candidate was chosen, or it was asked to be opened. */
export interface Listener {
    readonly chosen: (id: string) => void;
    readonly opened: (id: string) => void;
}

/** The tree. What is drawn anew keeps its elements, and so the focus and the place the reader is at. */
export class Tree {
    readonly element = html("div", { class: "tree" });
    private readonly ways = svg("svg", { class: "ways", "aria-hidden": "true" });
    private readonly names = html("div", { "aria-hidden": "true" });
    private readonly items = html("div", { role: "tree" });
    private readonly known = new Map<string, { item: HTMLElement; drawn: string }>();
    private placed: Branches = { spots: [], lines: [], height: 0 };

    constructor(private readonly listener: Listener) {
        this.element.append(this.ways, this.names, this.items);
        this.items.addEventListener("click", (event) => {
            const id = idOf(event.target);
            if (id !== undefined) this.choose(id);
        });
        this.items.addEventListener("dblclick", (event) => {
            const id = idOf(event.target);
            if (id !== undefined) this.listener.opened(id);
        });
        this.items.addEventListener("keydown", (event) => {
            this.press(event);
        });
    }

    /** Draws the candidates; `chosen` is the one that the Tab key leads to. */
    draw(nodes: readonly Drawn[], picture: Picture, chosen: string | null, width: number): void {
        this.placed = branches(nodes, width);
        const byId = new Map(nodes.map((each) => [each.id, each]));
        this.items.setAttribute("aria-label", picture.words.tree);
        this.element.style.height = `${this.placed.height}px`;
        this.placed.spots.forEach((spot, index) => {
            const node = byId.get(spot.id);
            if (node === undefined) return;
            const item = this.itemOf(node, picture.best === node.id);
            if (this.items.children[index] !== item) this.items.insertBefore(item, this.items.children[index] ?? null);
            item.style.left = `${spot.x - CELL.width / 2}px`;
            item.style.top = `${spot.y - CELL.middle}px`;
            item.setAttribute("aria-level", String(spot.depth + 1));
            item.setAttribute("aria-selected", String(node.id === chosen));
            item.tabIndex = node.id === chosen ? 0 : -1;
        });
        this.names.replaceChildren(...this.placed.lines.map(({ slot, y }) => name(picture.lines[slot] ?? "", y)));
        this.connect(byId, chosen, width);
    }

    /** Puts the focus on a candidate. */
    focus(id: string): void {
        this.known.get(id)?.item.focus();
    }

    /** Brings a candidate into sight, without moving the page. */
    reveal(id: string, place: HTMLElement): void {
        const spot = this.placed.spots.find((each) => each.id === id);
        if (spot === undefined) return;
        const { scrollTop, clientHeight } = place;
        const seen = spot.y >= scrollTop + CELL.height / 2 && spot.y <= scrollTop + clientHeight - CELL.height / 2;
        if (!seen) place.scrollTop = spot.y - clientHeight / 2;
    }

    private choose(id: string): void {
        this.listener.chosen(id);
        this.focus(id);
    }

    private press(event: KeyboardEvent): void {
        const id = idOf(event.target);
        if (id === undefined || event.altKey || event.metaKey || event.shiftKey || event.ctrlKey) return;
        if (event.key === "Enter") {
            this.listener.opened(id);
        } else {
            const next = neighbour(this.placed.spots, id, event.key);
            if (next === undefined) return;
            this.choose(next);
        }
        event.preventDefault();
    }

    private itemOf(node: Drawn, best: boolean): HTMLElement {
        const drawn = `${node.standing} ${best} ${node.label}`;
        const known = this.known.get(node.id);
        if (known?.drawn === drawn) return known.item;
        const item = known?.item ?? html("div", { class: "node", role: "treeitem", "data-id": node.id });
        item.setAttribute("aria-label", node.label);
        item.title = node.label;
        const picture = svg("svg", { viewBox: "-18 -18 36 36", width: 36, height: 36, "aria-hidden": "true" });
        if (best) picture.append(svg("circle", { class: "crown", r: RADIUS + 4 }));
        picture.append(mark(node.standing, RADIUS));
        item.replaceChildren(picture, html("span", { "aria-hidden": "true" }, `#${node.number}`));
        item.classList.toggle("isBest", best);
        this.known.set(node.id, { item, drawn });
        return item;
    }

    private connect(nodes: ReadonlyMap<string, Drawn>, chosen: string | null, width: number): void {
        const spots = new Map(this.placed.spots.map((each) => [each.id, each]));
        const ancestors = lineage(nodes, chosen);
        const paths: SVGElement[] = [];
        for (const node of nodes.values()) {
            const from = node.parent === null ? undefined : spots.get(node.parent);
            const to = spots.get(node.id);
            if (from === undefined || to === undefined) continue;
            if (nodes.size > CROWD && to.row - from.row !== 0 && to.column !== 0 && !ancestors.has(node.id)) continue;
            paths.push(
                svg("path", {
                    class: ancestors.has(node.id) ? "way marked" : "way",
                    d: way(from, to, RADIUS + 5),
                }),
            );
        }
        this.ways.setAttribute("width", String(width));
        this.ways.setAttribute("height", String(this.placed.height));
        this.ways.replaceChildren(...paths);
    }
}

function name(words: string, y: number): HTMLElement {
    const element = html("div", { class: "lineName" }, words);
    element.style.top = `${y - 8}px`;
    return element;
}

/** A candidate and those it was made from. */
function lineage(nodes: ReadonlyMap<string, Drawn>, id: string | null): Set<string> {
    const found = new Set<string>();
    let at = id;
    while (at !== null && !found.has(at)) {
        found.add(at);
        at = nodes.get(at)?.parent ?? null;
    }
    return found;
}

/** The candidate that something on the page belongs to. */
export function idOf(target: EventTarget | null): string | undefined {
    return target instanceof Element ? (target.closest("[data-id]")?.getAttribute("data-id") ?? undefined) : undefined;
}
