// The browsers of all journeys of this process: as many as are played at a time, each for many journeys one after the other.

import { after } from "node:test";

import { Browser } from "./browser";

/** Does something with a browser that nobody else has meanwhile. They all end after the last journey. */
export const withBrowser = lent();

function lent(): <T>(act: (browser: Browser) => Promise<T>) => Promise<T> {
    const started: Promise<Browser>[] = [];
    const idle: Browser[] = [];
    after(async () => {
        await Promise.all(started.map(async (browser) => (await browser).stop()));
    });
    return async (act) => {
        const browser = idle.pop() ?? (await begun());
        const result = await act(browser);
        // One that a journey has failed in may be in any state, and is not lent again.
        idle.push(browser);
        return result;
    };

    function begun(): Promise<Browser> {
        const browser = Browser.start();
        started.push(browser);
        return browser;
    }
}
