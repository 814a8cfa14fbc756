// The one output channel.

import { window } from "vscode";
import type { LogOutputChannel } from "vscode";

/** Makes the channel that everything of the extension, and what the server writes, is logged to. */
export function makeLog(): LogOutputChannel {
    return window.createOutputChannel("Certo", { log: true });
}

/** What went wrong, in words for a log or a message. */
export function said(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
