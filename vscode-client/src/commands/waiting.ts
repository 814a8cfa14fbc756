// A wait that the user sees and can end.

import { ProgressLocation, window } from "vscode";
import type { CancellationToken } from "vscode";

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
