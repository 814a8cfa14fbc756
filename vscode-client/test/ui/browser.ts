// The browser that shows the workbench: a profile of its own, and no way to any other machine.

import { join } from "node:path";

import { chromium } from "playwright-core";
import type { BrowserContext, Page } from "playwright-core";

import { chromium as program } from "./places";
import { PATIENCE } from "./waiting";

/** Opens a browser with one page; closing the context ends it. */
export async function browse(home: string): Promise<{ context: BrowserContext; page: Page }> {
    const context = await chromium.launchPersistentContext(join(home, "browser"), {
        executablePath: program(),
        headless: true,
        viewport: { width: 1280, height: 800 },
        permissions: ["clipboard-read", "clipboard-write"],
        args: [
            // What runs as root, as in a container, has no sandbox of its own.
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ],
    });
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(PATIENCE);
    return { context, page };
}
