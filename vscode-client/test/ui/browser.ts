// The browser that shows the workbench: a profile of its own, and no way to any other machine.
//
// There is one for each journey that is played at the same time, and the next ones have it after that, for most of a window's beginning is reading the scripts of VS Code, which the browser keeps
// read for the next one, so long as they come from the same address. What a window has stored goes with it.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";
import type { BrowserContext, Page } from "playwright-core";

import { chromium as program } from "./places";
import { PATIENCE } from "./waiting";

/** Nothing moves: a browser without a screen draws each frame with the processor that the server needs. */
const STILL = "*, ::before, ::after { animation: none !important; transition: none !important; }";

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
            viewport: { width: Number(process.env.CERTO_UI_WIDTH ?? 1280), height: 800 },
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
        await context.addInitScript((rules) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(rules);
            document.adoptedStyleSheets.push(sheet);
        }, STILL);
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

/** A port that no system gives out by itself: nobody gets it while it is free between two servers. */
async function freePort(): Promise<number> {
    for (;;) {
        const port = 20_000 + Math.floor(10_000 * Math.random());
        if (await isFree(port)) return port;
    }
}

function isFree(port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const server = createServer();
        server.on("error", () => {
            resolve(false);
        });
        server.listen(port, "127.0.0.1", () => {
            server.close(() => {
                resolve(true);
            });
        });
    });
}
