// The page of the score history: it is told of the search, draws it, and asks for what is clicked.

import "./page.css";
import "./branches.css";
import "./details.css";
import "./charts.css";
import "./tables.css";

import { Details } from "./details";
import { html } from "./drawing";
import { legend } from "./marks";
import { keptFrom } from "./messages";
import type { Drawn, FromPage, Kept, Picture, ToPage } from "./messages";
import { scores } from "./scores";
import { spent } from "./spending";
import { tableOf } from "./tables";
import type { Part } from "./tables";
import { times } from "./times";
import { idOf, Tree } from "./tree";

/** What VS Code gives to a page. */
interface Host {
    readonly postMessage: (message: FromPage) => void;
    readonly getState: () => unknown;
    readonly setState: (state: Kept) => void;
}

declare function acquireVsCodeApi(): Host;

/** A part of the page: its heading, its picture, and the table that says the same. */
interface Section {
    readonly element: HTMLElement;
    readonly heading: HTMLElement;
    readonly place: HTMLElement;
    readonly summary: HTMLElement;
    readonly table: HTMLDetailsElement;
    readonly opener: HTMLElement;
    /** Where the table stands; it stays when the table is made anew, and so does how far it was scrolled. */
    readonly reader: HTMLElement;
}

const PARTS: readonly Part[] = ["tree", "scores", "spending", "times"];

/** The page, with what it has been told so far. */
class Page {
    private readonly host = acquireVsCodeApi();
    private kept: Kept = keptFrom({
        ...keptFrom(this.host.getState()),
        searchId: document.body.dataset.search,
        uri: decodeURIComponent(document.body.dataset.uri ?? ""),
    });
    private readonly nodes = new Map<string, Drawn>();
    private picture: Picture | undefined;
    private restored = false;
    private readonly heading = html("h1");
    private readonly outcome = html("p", { class: "outcome" });
    private readonly facts = html("dl", { class: "spent" });
    private readonly legend = html("ul", { class: "legend" });
    private readonly news = html("p", { class: "aloud", role: "status" });
    private readonly keys = html("p", { class: "quiet hint" });
    private readonly details = new Details((type, candidateId) => {
        this.host.postMessage({ type, candidateId });
    });
    private readonly tree = new Tree({
        chosen: (id) => {
            this.choose(id);
        },
        opened: (candidateId) => {
            if (this.picture?.live === true) this.host.postMessage({ type: "diff", candidateId });
        },
    });
    private readonly sections: Readonly<Record<Part, Section>> = {
        tree: this.section("tree"),
        scores: this.section("scores"),
        spending: this.section("spending"),
        times: this.section("times"),
    };

    constructor() {
        const { tree, scores: cost, spending, times: time } = this.sections;
        tree.place.append(this.tree.element);
        tree.summary.after(this.legend);
        tree.place.after(this.keys);
        document.body.append(
            html("header", {}, this.heading, this.outcome, this.facts),
            html(
                "main",
                {},
                tree.element,
                this.details.element,
                html("div", { class: "charts" }, cost.element, spending.element, time.element),
            ),
            this.news,
        );
        this.listen();
        this.keep({});
        this.host.postMessage({ type: "ready" });
    }

    private listen(): void {
        window.addEventListener("message", (event: MessageEvent<ToPage>) => {
            this.hear(event.data);
        });
        window.addEventListener("scroll", () => {
            if (this.restored) this.keep({ scroll: window.scrollY });
        });
        new ResizeObserver(() => {
            this.draw();
        }).observe(document.body);
        for (const part of ["scores", "times"] as const) {
            this.sections[part].place.addEventListener("click", (event) => {
                const id = idOf(event.target);
                if (id === undefined) return;
                this.choose(id);
                this.reveal(id);
            });
        }
    }

    private reveal(id: string | null): void {
        if (id !== null) this.tree.reveal(id, this.sections.tree.place);
    }

    private hear({ picture, changed, whole }: ToPage): void {
        if (whole) this.nodes.clear();
        for (const node of changed) this.nodes.set(node.id, node);
        const before = this.picture;
        this.picture = picture;
        this.draw();
        // What stood there from the beginning is no news.
        if (before !== undefined && before.news !== picture.news) this.news.textContent = picture.news;
        if (!this.restored) {
            window.scrollTo(0, this.kept.scroll);
            this.reveal(this.kept.chosen ?? picture.best);
            this.restored = true;
        }
    }

    private draw(): void {
        const picture = this.picture;
        if (picture === undefined) return;
        const { words } = picture;
        document.documentElement.lang = picture.language;
        this.heading.textContent = picture.heading;
        this.outcome.textContent = picture.outcome;
        this.keys.textContent = words.keys;
        this.facts.replaceChildren(
            ...picture.facts.map(({ name, value }) => html("div", {}, html("dt", {}, name), html("dd", {}, value))),
        );
        const nodes = [...this.nodes.values()];
        this.legend.replaceChildren(...legend(new Set(nodes.map((each) => each.standing)), words));
        for (const part of PARTS) this.label(part, picture);
        this.drawTree(nodes, picture);
        this.drawCharts(nodes, picture);
    }

    private drawTree(nodes: readonly Drawn[], picture: Picture): void {
        const { place } = this.sections.tree;
        const wanted = this.kept.chosen ?? picture.best;
        const chosen = (wanted === null ? undefined : this.nodes.get(wanted)) ?? nodes[0];
        this.tree.draw(nodes, picture, chosen?.id ?? null, place.clientWidth);
        this.details.draw(chosen, picture);
    }

    private drawCharts(nodes: readonly Drawn[], picture: Picture): void {
        const { scores: cost, spending, times: time } = this.sections;
        const series = picture.spending;
        put(cost, nodes.length > 0, (width) => scores(nodes, picture, width));
        put(time, nodes.length > 0, (width) => times(nodes, picture, width));
        put(spending, series !== null, (width) => (series === null ? html("div") : spent(series, picture, width)));
        this.sections.tree.table.hidden = nodes.length === 0;
        this.keys.hidden = nodes.length === 0;
        for (const part of PARTS) this.fill(part);
    }

    private choose(id: string): void {
        this.keep({ chosen: id });
        if (this.picture !== undefined) this.drawTree([...this.nodes.values()], this.picture);
    }

    private keep(change: Partial<Kept>): void {
        this.kept = { ...this.kept, ...change };
        this.host.setState(this.kept);
    }

    private section(part: Part): Section {
        const heading = html("h2", { id: `${part}-title` });
        const place = html("div", { class: "place" });
        const summary = html("p", { class: "summary" });
        const opener = html("summary");
        const reader = html("div", {
            class: "reader",
            role: "region",
            "aria-labelledby": `${part}-title`,
            tabindex: 0,
        });
        const table = html("details", {}, opener, reader);
        table.open = this.kept.open.includes(part);
        table.addEventListener("toggle", () => {
            const others = this.kept.open.filter((each) => each !== part);
            this.keep({ open: table.open ? [...others, part] : others });
            this.fill(part);
        });
        const element = html(
            "section",
            { class: part, "aria-labelledby": `${part}-title` },
            heading,
            summary,
            place,
            table,
        );
        return { element, heading, place, summary, table, opener, reader };
    }

    private label(part: Part, picture: Picture): void {
        const { heading, summary, opener } = this.sections[part];
        heading.textContent = picture.words[part];
        summary.textContent = picture.summaries[part];
        opener.textContent = picture.words.asTable;
    }

    /** Makes the table of a part, where it is open. */
    private fill(part: Part): void {
        const { table, reader } = this.sections[part];
        if (this.picture === undefined) return;
        reader.replaceChildren(...(table.open ? [tableOf(part, [...this.nodes.values()], this.picture)] : []));
    }
}

/** Draws a chart, if there is anything to draw; else its sentence says that there is nothing. */
function put({ place, table }: Section, any: boolean, make: (width: number) => Node): void {
    table.hidden = !any;
    place.replaceChildren(...(any ? [make(place.clientWidth)] : []));
}

new Page();
