// How a call of an agent looks in the Certo view.

import { ThemeIcon, TreeItem, l10n } from "vscode";

import { visible } from "../inert";
import type { Call, ToolName } from "../searches/calls";
import type { Session } from "../session";
import { DIM, FAILED, PASSED, WARNING } from "./treeItems";

const ICONS: Readonly<Record<Call["state"], ThemeIcon>> = {
    running: new ThemeIcon("loading~spin"),
    passed: new ThemeIcon("pass", PASSED),
    failed: new ThemeIcon("error", FAILED),
    refused: new ThemeIcon("question", WARNING),
    cancelled: new ThemeIcon("debug-stop", DIM),
};

/** The row of a call; a click on it opens its report. */
export function callItem(session: Session, call: Call): TreeItem {
    const item = new TreeItem(visible(titleOf(call)));
    item.id = call.id;
    item.iconPath = ICONS[call.state];
    item.description = visible(call.state === "running" ? l10n.t("an agent asked") : call.said);
    item.tooltip = item.description;
    item.contextValue = `call.${call.state}`;
    if (call.report !== "") {
        const uri = session.reports.keep(titleOf(call), call.report);
        item.command = { title: l10n.t("Show the Report"), command: "markdown.showPreview", arguments: [uri] };
    }
    return item;
}

function titleOf({ tool, target }: Call): string {
    const name = target.slice(target.lastIndexOf("/") + 1);
    const titles: Readonly<Record<ToolName, string>> = {
        certo_verify: l10n.t("Verify {0}", name),
        certo_repair: l10n.t("Repair {0}", name),
        certo_generate: l10n.t("Write {0}", name),
        certo_diff: l10n.t("Compare {0}", name),
        certo_tests: l10n.t("Write tests of {0}", name),
        certo_strength: l10n.t("Measure the tests of {0}", name),
    };
    return titles[tool];
}
