// Switches on that certo repairs what fails after a save, for this user.

import { ConfigurationTarget, workspace } from "vscode";

/** Sets the user's own setting; that of a workspace would not count. */
export async function switchAmbientOn(): Promise<void> {
    await workspace.getConfiguration("certo").update("ambient.enabled", true, ConfigurationTarget.Global);
}
