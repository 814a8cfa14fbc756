// Forgets keys of language models that are kept in the editor's secret storage.

import { l10n, window } from "vscode";

import { PROVIDERS } from "../daemon/providers";
import type { Session } from "../session";
import { inform } from "../tell";

/** Lets the user say which keys to forget. */
export async function forgetKeys(session: Session): Promise<void> {
    const names = session.secrets.known();
    if (names.length === 0) {
        void inform(l10n.t("VS Code stores no keys of language models for Certo."));
        return;
    }
    const items = names.map((name) => ({
        label: name,
        description: PROVIDERS.find((each) => each.key === name)?.label ?? "",
        picked: true,
    }));
    const chosen = await window.showQuickPick(items, {
        title: l10n.t("Delete the Keys of Language Models"),
        placeHolder: l10n.t("Which keys do you want to delete?"),
        canPickMany: true,
    });
    if (chosen === undefined || chosen.length === 0) return;
    for (const { label } of chosen) await session.secrets.forget(label);
    void inform(l10n.t("Deleted: {0}.", chosen.map((each) => each.label).join(", ")));
}
