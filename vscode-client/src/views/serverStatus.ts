// How the server stands, among the statuses of the language at hand: its version, its model, and what is wrong with it.

import { Disposable, LanguageStatusSeverity, l10n, languages, workspace } from "vscode";
import type { Command, LanguageStatusItem } from "vscode";

import { withKeptKeys } from "../daemon/keptKeys";
import { whyServer } from "../daemon/words";
import { said } from "../log";
import type { Fact } from "../protocol";
import type { Session } from "../session";
import { PYTHON } from "./selector";

/** Shows how the server stands. */
export function registerServerStatus(session: Session): Disposable {
    const item = languages.createLanguageStatusItem("certo.server", PYTHON);
    item.name = "Certo";
    const say = (): void => {
        show(session, item);
    };
    say();
    return Disposable.from(
        item,
        session.daemon.onDidChangeState(say),
        session.context.secrets.onDidChange(say),
        workspace.onDidGrantWorkspaceTrust(say),
        workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("certo")) say();
        }),
    );
}

function show(session: Session, item: LanguageStatusItem): void {
    const { state } = session.daemon;
    item.busy = state.kind === "starting";
    item.detail = "";
    item.severity = LanguageStatusSeverity.Information;
    if (!workspace.isTrusted) {
        item.text = l10n.t("Certo runs nothing in Restricted Mode");
        item.severity = LanguageStatusSeverity.Warning;
        item.command = { title: l10n.t("Manage Workspace Trust"), command: "workbench.trust.manage" };
        return;
    }
    item.command = doctor("");
    switch (state.kind) {
        case "starting":
            item.text = l10n.t("Certo is starting");
            break;
        case "stopped":
            item.text = l10n.t("The Certo server is not running");
            item.severity = LanguageStatusSeverity.Warning;
            break;
        case "failed":
            item.text = l10n.t("The Certo server is not running");
            // The details of a status are cut off where they are long, and the command behind them with them.
            item.command = doctor(state.reason);
            item.severity = LanguageStatusSeverity.Error;
            break;
        case "running":
            item.text = "Certo";
            ask(session, item).catch((error: unknown) => {
                session.log.debug(`certo/status: ${said(error)}`);
            });
    }
}

/** What says more than there is room for; a line of it is shown where the pointer rests on it. */
function doctor(tooltip: string): Command {
    return { title: l10n.t("Doctor"), command: "certo.doctor", tooltip };
}

async function ask(session: Session, item: LanguageStatusItem): Promise<void> {
    const status = await session.daemon.ask("certo/status", {});
    if (session.daemon.state.kind !== "running") return;
    item.text = l10n.t("Certo {0}", status.version);
    const { choice } = session.chooser;
    if (choice !== undefined) item.command = doctor(whyServer(choice));
    const models = await withKeptKeys(status.models, session.secrets);
    item.detail = modelsOf(models);
    const lacking = models.some((model) => model.health !== "good");
    item.severity = lacking ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
}

function modelsOf(models: readonly Fact[]): string {
    if (models.length === 0) return l10n.t("searches among small edits");
    const [first] = models;
    return models.length === 1 && first !== undefined ? first.says : l10n.t("{0} language models", models.length);
}
