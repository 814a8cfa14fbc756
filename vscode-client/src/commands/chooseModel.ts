// Chooses what writes candidates, writes it into the settings, and says what came of it.

import { commands, ConfigurationTarget, l10n, window, workspace } from "vscode";
import type { WorkspaceConfiguration } from "vscode";

import { keyNameOf } from "../daemon/providers";
import type { Fact } from "../protocol";
import type { Session } from "../session";
import { askModel } from "./askModel";
import { foundOf, reachOf, settingsOf } from "./modelChoice";
import type { Choice, Found, Written } from "./modelChoice";
import { inform, warn } from "../tell";

/** How often the server is asked whether it has read the new settings, and how long it is left alone in between. */
const LOOKS = 10;
const BETWEEN = 200;

/** Lets the user choose what writes candidates. */
export async function chooseModel(session: Session): Promise<void> {
    const section = workspace.getConfiguration("certo", window.activeTextEditor?.document.uri);
    const choice = await askModel(session, l10n.t("Choose Model"), inUse(section));
    if (choice === undefined) return;
    const target = await askTarget(section);
    if (target === undefined) return;
    await write(section, reachOf(choice), ConfigurationTarget.Global);
    await write(section, settingsOf(choice), target);
    const others = section.get<readonly string[]>("generation.models", []);
    const found = foundOf(choice, await look(session, choice), await keyKept(session, choice), others, l10n);
    await say(found);
}

/** Says what came of the choice; without a button, VS Code would show no more of it than its first words. */
async function say(found: Found): Promise<void> {
    const open = l10n.t("Open the Settings");
    const chosen = found.good ? await inform(found.words, open) : await warn(found.words, open);
    if (chosen === open) await commands.executeCommand("workbench.action.openSettings", "@ext:certo.certo model");
}

/** What writes candidates now, as far as the editor's settings say, in words. */
export function inUse(section: WorkspaceConfiguration): string {
    return section.get("search.generator") === "model"
        ? section.get("model.name", "")
        : l10n.t("the built-in generator");
}

/** Where to write: the user's settings, unless those of a workspace or a folder come before them. */
async function askTarget(section: WorkspaceConfiguration): Promise<ConfigurationTarget | undefined> {
    const found = ["model.name", "search.generator"].map((name) => section.inspect(name));
    const folder = found.some((each) => each?.workspaceFolderValue !== undefined);
    if (!folder && !found.some((each) => each?.workspaceValue !== undefined)) return ConfigurationTarget.Global;
    const here = folder
        ? { label: l10n.t("Folder settings"), target: ConfigurationTarget.WorkspaceFolder }
        : { label: l10n.t("Workspace settings"), target: ConfigurationTarget.Workspace };
    const user = {
        label: l10n.t("User settings"),
        description: l10n.t("the choice then has no effect here"),
        target: ConfigurationTarget.Global,
    };
    const chosen = await window.showQuickPick([here, user], {
        title: l10n.t("Choose Model"),
        placeHolder: l10n.t("This workspace has its own choice. Where do you want to save the new one?"),
    });
    return chosen?.target;
}

async function write(
    section: WorkspaceConfiguration,
    written: readonly Written[],
    target: ConfigurationTarget,
): Promise<void> {
    for (const [name, value] of written) {
        const { globalValue } = section.inspect(name) ?? {};
        if (target === ConfigurationTarget.Global && globalValue === value) continue;
        await section.update(name, value, target);
    }
}

/** What the server says of the models of the settings, once it has read the new ones; undefined when it does not run. */
async function look(session: Session, choice: Choice): Promise<readonly Fact[] | undefined> {
    if (session.daemon.state.kind !== "running") return undefined;
    for (let left = LOOKS; ; left--) {
        const { models } = await session.daemon.ask("certo/status", {});
        if (left === 0 || choice.generator === "builtin" || models.some((each) => each.says.startsWith(choice.name)))
            return models;
        await new Promise((resolve) => setTimeout(resolve, BETWEEN));
    }
}

async function keyKept(session: Session, choice: Choice): Promise<boolean> {
    const name = keyNameOf(choice.name, choice.baseUrl, choice.keyVariable);
    return name !== "" && (await session.secrets.has(name));
}
