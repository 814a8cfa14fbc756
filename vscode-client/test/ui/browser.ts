// The browser that shows the workbench: a profile of its own, and no way to any other machine.
//
// There is one for all journeys, for most of a window's beginning is reading the scripts of VS Code, which the browser keeps
// read for the next one, so long as they come from the same address. What a window has stored goes with it.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";
import type { BrowserContext, Page } from "playwright-core";

import { chromium as program } from "./places";
import { PATIENCE } from "./waiting";

/** A browser, and the port of the servers that it is to look at, one after the other. */
export class Browser {
    private constructor(
        private readonly home: string,
        private readonly context: BrowserContext,
        readonly port: number,
    ) {}

    /** Starts a browser. */
    static async start(): Promise<Browser> {
        const home = mkdtempSync(join(tmpdir(), "certo-browser-"));
        const context = await chromium.launchPersistentContext(home, {
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
                // Scripts are kept compiled from the first time on, and not only when they have come twice.
                "--blink-settings=v8CacheOptions=4",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            ],
        });
        return new Browser(home, context, await freePort());
    }

    /** Does something in a page of its own, of which nothing is left afterwards. */
    async page<T>(act: (page: Page) => Promise<T>): Promise<T> {
        const page = await this.context.newPage();
        page.setDefaultTimeout(PATIENCE);
        try {
            return await act(page);
        } finally {
            await this.forget(page);
            await page.close();
        }
    }

    /** Ends it. */
    async stop(): Promise<void> {
        await this.context.close();
        rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }

    private async forget(page: Page): Promise<void> {
        await page.goto("about:blank");
        const session = await this.context.newCDPSession(page);
        await session.send("Storage.clearDataForOrigin", {
            origin: `http://127.0.0.1:${this.port}`,
            storageTypes: "cookies,indexeddb,local_storage",
        });
    }
}

function freePort(): Promise<number> {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            server.close(() => {
                if (typeof address === "object" && address !== null) resolve(address.port);
            });
        });
    });
}
