// The server in this window: when it is started, what follows from its coming and going, and what is said when there is none.

import { commands, env, l10n, Uri, workspace } from "vscode";
import type { Disposable, TextDocument } from "vscode";

import type { Problem } from "../daemon/absence";
import type { DaemonState } from "../daemon/daemon";
import type { PythonExtension } from "../daemon/pythonExtension";
import type { Session } from "../session";
import { regret } from "../tell";

/** The context key that tells the views' words of welcome what is in the way of the server. */
const PROBLEM = "certo.problem";

/** Starts the server when there is something for it to do, and says what is in its way. */
export function registerServer(session: Session, python: PythonExtension): Disposable[] {
    const { daemon } = session;
    const startFor = (document: TextDocument): void => {
        // What was in its way once is not run into again with every document.
        if (isPython(document) && workspace.isTrusted && daemon.state.kind === "stopped") void daemon.started();
    };
    tellViews(undefined);
    for (const document of workspace.textDocuments) startFor(document);
    return [
        daemon.onDidChangeState((state) => {
            follow(session, state);
        }),
        workspace.onDidOpenTextDocument(startFor),
        workspace.onDidGrantWorkspaceTrust(() => {
            tellViews(undefined);
            if (workspace.textDocuments.some(isPython)) void daemon.started();
        }),
        workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("certo.server") && daemon.state.kind !== "stopped") void daemon.restart();
        }),
        python.onDidChange(() => void daemon.settingsChanged()),
    ];
}

function isPython(document: TextDocument): boolean {
    return document.languageId === "python";
}

function follow(session: Session, state: DaemonState): void {
    if (state.kind === "running") void session.searches.recover();
    else session.searches.lost();
    tellViews(state.kind === "failed" ? state.problem : undefined);
    if (state.kind === "failed") void sayOnce(session, state.problem, state.reason);
}

function tellViews(problem: Problem | undefined): void {
    void commands.executeCommand("setContext", PROBLEM, problem);
}

/** Says why there is no server, with what can be done about it; what the user has cancelled is not said back. */
async function sayOnce(session: Session, problem: Problem, reason: string): Promise<void> {
    if (problem === "cancelled") return;
    const actions = new Map<string, () => unknown>(actionsFor(problem));
    const showLog = l10n.t("Show the Log");
    actions.set(showLog, () => {
        session.log.show();
    });
    const chosen = await regret(reason, ...actions.keys());
    if (chosen !== undefined) await actions.get(chosen)?.();
}

function actionsFor(problem: Problem): [string, () => unknown][] {
    const run = (command: string, ...args: unknown[]) => commands.executeCommand(command, ...args);
    const again: [string, () => unknown] = [l10n.t("Try Again"), () => run("certo.restart")];
    switch (problem) {
        case "untrusted":
            return [[l10n.t("Manage Workspace Trust"), () => run("workbench.trust.manage")]];
        case "noPython":
            return [
                [l10n.t("Choose Python…"), () => run("certo.server.choosePython")],
                [l10n.t("Get Python"), () => env.openExternal(Uri.parse("https://www.python.org/downloads/"))],
            ];
        case "noProgram":
            return [[l10n.t("Open the Settings"), () => run("workbench.action.openSettings", "certo.server")]];
        case "notInstalled":
        case "failed":
        case "cancelled":
            return [again];
        case "crashed":
            return [[l10n.t("Restart the Server"), () => run("certo.restart")]];
    }
}
