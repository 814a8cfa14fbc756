// A wait that the user sees and can end.

import { CancellationTokenSource, ProgressLocation, window } from "vscode";
import type { CancellationToken } from "vscode";

/** How long something that is mostly quick may take before the wait for it is shown, in milliseconds. */
const QUICK = 1_000;

/** Shows what is waited for; undefined when the user has ended the wait. */
export async function waitFor<T>(title: string, act: (token: CancellationToken) => Promise<T>): Promise<T | undefined> {
    return await window.withProgress(
        { location: ProgressLocation.Notification, title, cancellable: true },
        async (_, token) => {
            try {
                return await act(token);
            } catch (error) {
                if (token.isCancellationRequested) return undefined;
                throw error;
            }
        },
    );
}

/** Waits for what is mostly quick, and shows the wait only once it is one; undefined when the user has ended it. */
export async function waitIfLong<T>(
    title: string,
    act: (token: CancellationToken) => Promise<T>,
): Promise<T | undefined> {
    const source = new CancellationTokenSource();
    const acting = act(source.token);
    const timer = setTimeout(() => {
        void waitFor(title, async (token) => {
            const ending = token.onCancellationRequested(() => {
                source.cancel();
            });
            // What becomes of it is told to whoever wanted it.
            await acting.catch(() => undefined);
            ending.dispose();
        });
    }, QUICK);
    try {
        return await acting;
    } catch (error) {
        if (source.token.isCancellationRequested) return undefined;
        throw error;
    } finally {
        clearTimeout(timer);
        source.dispose();
    }
}
