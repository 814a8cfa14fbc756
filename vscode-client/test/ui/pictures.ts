// The pictures of a journey, numbered in the order they were taken.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";

/** Where the pictures of the extension's page go; undefined when none are asked for. */
const PUBLISHED = process.env.CERTO_UI_PICTURES;

/** A part of a page, in pixels. */
export interface Clip {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

/** A folder of pictures; those of the last time are gone. */
export class Pictures {
    private taken = 0;

    constructor(
        readonly folder: string,
        private readonly theme: string,
    ) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
    }

    /** Takes a picture of a page, and tells where it is. */
    async take(page: Page, name: string): Promise<string> {
        const number = String(++this.taken).padStart(2, "0");
        const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
        const path = join(this.folder, `${number}-${words}.png`);
        await page.screenshot({ path });
        return path;
    }

    /** Takes the picture of this name for the extension's page, in the dark, when such pictures are asked for. */
    async publish(page: Page, name: string, clip?: Clip): Promise<void> {
        if (PUBLISHED === undefined || this.theme !== "dark") return;
        const options = clip === undefined ? {} : { clip };
        await page.screenshot({ path: join(PUBLISHED, `${name}.png`), ...options });
    }
}
