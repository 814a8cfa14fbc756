// Waiting that shows itself: nothing for what is done at once, a notification for what takes longer.

import { ProgressLocation, window } from "vscode";

/** How long something may take before it is shown that it is under way, in milliseconds. */
const PATIENCE = 400;

/** Waits for work, and shows what it is when it takes longer than one would notice. */
export async function shownWaiting<T>(title: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
        timer = setTimeout(() => {
            resolve("late");
        }, PATIENCE);
    });
    try {
        if ((await Promise.race([work, late])) !== "late") return await work;
        return await window.withProgress({ location: ProgressLocation.Notification, title }, () => work);
    } finally {
        clearTimeout(timer);
    }
}
