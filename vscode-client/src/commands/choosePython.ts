// Chooses the Python that the extension makes its server's environment with.

import { ConfigurationTarget, l10n, window, workspace } from "vscode";

/** Lets the user pick a Python; the setting that it changes starts the server anew. */
export async function choosePython(): Promise<void> {
    const [chosen] =
        (await window.showOpenDialog({
            title: l10n.t("A Python of version 3.11 or newer"),
            openLabel: l10n.t("Use This Python"),
            canSelectMany: false,
        })) ?? [];
    if (chosen === undefined) return;
    await workspace.getConfiguration("certo").update("server.python", chosen.fsPath, ConfigurationTarget.Global);
}
