// Opens the settings of certo.

import { commands } from "vscode";

import type { Session } from "../session";

/** Shows certo's own settings in the settings editor. */
export async function openSettings(session: Session): Promise<void> {
    await commands.executeCommand("workbench.action.openSettings", `@ext:${session.context.extension.id}`);
}
