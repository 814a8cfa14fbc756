// The pictures of a journey, numbered in the order they were taken.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";

/** A folder of pictures; those of the last time are gone. */
export class Pictures {
    private taken = 0;

    constructor(readonly folder: string) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
    }

    /** Takes a picture of a page. */
    async take(page: Page, name: string): Promise<void> {
        const number = String(++this.taken).padStart(2, "0");
        const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
        await page.screenshot({ animations: "disabled", path: join(this.folder, `${number}-${words}.png`) });
    }
}
