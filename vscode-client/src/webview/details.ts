// What is known of the chosen candidate, and what can be done with it.

import { html } from "./drawing";
import { markAlone } from "./marks";
import type { Drawn, FromPage, Picture } from "./messages";

type Action = Exclude<FromPage["type"], "ready">;

/** The region of the chosen candidate. Its buttons stay while the search goes on, and so does the focus on one. */
export class Details {
    readonly element = html("section", { class: "details", "aria-labelledby": "details-title" });
    private readonly title = html("h2", { id: "details-title" });
    private readonly text = html("div");
    private readonly buttons: Readonly<Record<Action, HTMLButtonElement>>;
    private shown: string | undefined;
    private drawn = "";

    constructor(act: (action: Action, candidateId: string) => void) {
        const button = (action: Action, look: string): HTMLButtonElement => {
            const made = html("button", { type: "button", class: look });
            made.addEventListener("click", () => {
                if (this.shown !== undefined) act(action, this.shown);
            });
            return made;
        };
        this.buttons = {
            diff: button("diff", "secondary"),
            accept: button("accept", "primary"),
            retry: button("retry", "secondary"),
        };
        const { accept, diff, retry } = this.buttons;
        this.element.append(this.title, this.text, html("div", { class: "buttons" }, accept, diff, retry));
    }

    /** Shows a candidate; nothing but an invitation when there is none yet. */
    draw(node: Drawn | undefined, picture: Picture): void {
        const { words } = picture;
        this.shown = node?.id;
        for (const action of ["diff", "accept", "retry"] as const) {
            const button = this.buttons[action];
            button.textContent = words[action];
            button.disabled = node === undefined || !picture.live || (action === "accept" && !node.canBeAccepted);
        }
        const drawn = JSON.stringify([node, words]);
        if (drawn === this.drawn) return;
        this.drawn = drawn;
        if (node === undefined) {
            this.title.textContent = words.details;
            this.text.replaceChildren(html("p", { class: "quiet" }, words.nothing));
            return;
        }
        this.title.textContent = node.title;
        const verdict = html("p", { class: "verdict" }, markAlone(node.standing, 8), node.says);
        const facts = html(
            "dl",
            { class: "facts" },
            ...node.facts.flatMap(({ name, value }) => [html("dt", {}, name), html("dd", {}, value)]),
        );
        const verdicts = html("ul", { class: "verdicts" }, ...node.verdicts.map(said));
        this.text.replaceChildren(verdict, facts, ...(node.verdicts.length > 0 ? [verdicts] : []));
    }
}

function said({ sign, verifier, says, time }: Drawn["verdicts"][number]): HTMLElement {
    return html(
        "li",
        {},
        html("span", { class: "sign" }, sign),
        html("span", { class: "who" }, verifier),
        html("span", { class: "time" }, time),
        html("span", { class: "what" }, says),
    );
}
