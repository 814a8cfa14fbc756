// Opens the walkthrough.

import { commands } from "vscode";

import type { Session } from "../session";

/** Shows the first steps. */
export async function openWalkthrough({ context }: Session): Promise<void> {
    await commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#certo.start`, false);
}
