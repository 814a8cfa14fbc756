// Where the extension begins and ends: the parts are put together here, and nothing else is done.

import { commands, workspace } from "vscode";
import type { ExtensionContext } from "vscode";

import { OF_SERVER, registerCommands, run } from "./commands/index";
import { buildClient } from "./daemon/client";
import { Daemon } from "./daemon/daemon";
import { EditorModel } from "./daemon/editorModel";
import { resolve } from "./daemon/resolve";
import { Secrets } from "./daemon/secrets";
import { makeLog } from "./log";
import { Places } from "./searches/places";
import { Searches } from "./searches/searches";
import type { Session } from "./session";
import { ownSettings } from "./settings";
import { registerDrafts } from "./views/drafts";
import { Histories } from "./views/history";
import { registerLens } from "./views/lens";
import { registerScore } from "./views/score";
import { registerSearchTree } from "./views/searchTree";

/** Makes the session of this window. The server starts in the background, so that nobody waits for it. */
export function activate(context: ExtensionContext): void {
    const log = makeLog();
    const daemon = new Daemon(makeClient, log);
    const searches = new Searches(daemon, log);
    const places = new Places(daemon, searches, log);
    const secrets = new Secrets(context.secrets, context.globalState, () => searches.wanted());
    const lent = { model: new EditorModel(context.languageModelAccessInformation, log), secrets };
    const history = new Histories(context, searches, log);
    const session: Session = { context, log, daemon, searches, places, secrets, history };

    function makeClient(): ReturnType<ConstructorParameters<typeof Daemon>[0]> {
        const choice = resolve({ setting: ownSettings().command, own: undefined, onPath: "certo" });
        if (choice === undefined) return Promise.reject(new Error("There is no server."));
        log.info(`${choice.command} ${choice.args.join(" ")}: ${choice.why}`);
        const client = buildClient(
            choice,
            lent,
            (command, argument) => run(session, { run: OF_SERVER[command], whenStopped: false }, argument),
            log,
        );
        return Promise.resolve(client);
    }

    context.subscriptions.push(
        log,
        daemon,
        searches,
        places,
        secrets,
        history,
        ...registerCommands(session),
        registerLens(session),
        registerScore(session),
        registerSearchTree(session),
        registerDrafts(session),
        daemon.onDidChangeState((state) => {
            if (state.kind === "running") void searches.recover(state.instance);
            else if (state.kind !== "starting") searches.lost();
        }),
        searches.onDidChange(() => {
            const all = searches.all();
            void commands.executeCommand("setContext", "certo.searching", all.length > 0);
            void commands.executeCommand(
                "setContext",
                "certo.running",
                all.some((each) => each.state === "running"),
            );
        }),
    );
    if (workspace.isTrusted) void daemon.restart();
    else context.subscriptions.push(workspace.onDidGrantWorkspaceTrust(() => void daemon.restart()));
}
