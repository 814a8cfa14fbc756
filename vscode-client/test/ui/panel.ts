// The score history in its panel: a page within two frames of the window.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Frame, Page } from "playwright-core";

import { CLIENT } from "./places";
import { until } from "./waiting";

/** The frame of the score history that is shown; waits until it has drawn something. */
export async function historyIn(page: Page): Promise<Frame> {
    return await until("the page of the score history", async () => {
        for (const frame of page.frames()) {
            const drawn = frame.locator("section.tree [role=treeitem]").first();
            if (!frame.isDetached() && (await drawn.isVisible().catch(() => false))) return frame;
        }
        return undefined;
    });
}

/** What someone who cannot see or cannot use a mouse would stumble over on a page, by axe-core. */
export async function hindrances(frame: Frame): Promise<string[]> {
    await frame.evaluate(readFileSync(join(CLIENT, "node_modules/axe-core/axe.min.js"), "utf8"));
    const found = JSON.parse(await frame.evaluate<string>("axe.run().then((all) => JSON.stringify(all))")) as {
        readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
        readonly passes: readonly unknown[];
    };
    assert.ok(found.passes.length > 0, "axe-core has looked at something");
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
