// Where the extension begins and ends: the parts are put together here, and nothing else is done.

import { ExtensionMode } from "vscode";
import type { ExtensionContext } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { registerMcpServer } from "./agents/mcpServer";
import { registerTools } from "./agents/tools";
import { OF_SERVER, registerCommands, run } from "./commands/index";
import { goToDemo } from "./commands/openDemo";
import { buildClient } from "./daemon/client";
import { Chooser } from "./daemon/chooser";
import { Daemon } from "./daemon/daemon";
import type { Forgive } from "./daemon/daemon";
import { EditorModel } from "./daemon/editorModel";
import { PythonExtension } from "./daemon/pythonExtension";
import { Secrets } from "./daemon/secrets";
import { makeLog } from "./log";
import { Editing } from "./review/editing";
import { Review } from "./review/review";
import { Threads } from "./review/threads";
import { AgentCalls } from "./searches/agentCalls";
import { Places } from "./searches/places";
import { Searches } from "./searches/searches";
import type { Session } from "./session";
import { Underway } from "./searches/underway";
import { registerContexts } from "./views/contexts";
import { registerDrafts } from "./views/drafts";
import { Histories } from "./views/history";
import { registerInlinePreview } from "./views/inlinePreview";
import { registerLens } from "./views/lens";
import { Reports } from "./views/reports";
import { registerProgress } from "./views/progress";
import { registerScore } from "./views/score";
import { registerSearchTree } from "./views/searchTree";
import { registerServer } from "./views/server";
import { registerServerStatus } from "./views/serverStatus";
import { registerStatus } from "./views/status";
import { registerTesting } from "./views/testing";

/** What the end of the extension has to wait for. It is kept here, for VS Code says that it ends with nothing in its hands. */
const endings = new Set<() => Promise<void>>();

/** Makes the session of this window. The server starts in the background, so that nobody waits for it. */
export function activate(context: ExtensionContext): Session | undefined {
    const activation = { began: performance.now(), milliseconds: 0 };
    const log = makeLog();
    const python = new PythonExtension(log);
    const chooser = new Chooser(context, python, log);
    const daemon = new Daemon(makeClient, log);
    const searches = new Searches(daemon, log);
    const places = new Places(daemon, searches, log);
    const secrets = new Secrets(context.secrets, context.globalState, () => searches.wanted());
    const lent = { model: new EditorModel(context.languageModelAccessInformation, log), secrets };
    const history = new Histories(context, searches, log);
    const review = new Review(daemon, searches, log);
    const editing = new Editing(daemon, searches, review, context.workspaceState, log);
    const threads = new Threads(searches, places);
    const shown = { review, editing, threads, history, reports: new Reports(), calls: new AgentCalls() };
    const own = { ...shown, secrets, underway: new Underway(), refusedPreviews: new Set<string>() };
    const session: Session = { context, activation, log, chooser, daemon, searches, places, ...own };

    async function makeClient(forgive: Forgive): Promise<LanguageClient> {
        return buildClient(await chooser.choose(), {
            lent,
            run: (command, argument) => run(session, { run: OF_SERVER[command], whenStopped: false }, argument),
            python,
            searches,
            forgive,
            log,
        });
    }

    endings.add(() => end(chooser, daemon));
    context.subscriptions.push(
        log,
        python,
        chooser,
        daemon,
        searches,
        places,
        ...Object.values(shown),
        secrets,
        ...registerCommands(session),
        ...registerServer(session, python),
        registerLens(session),
        registerScore(session),
        registerInlinePreview(session),
        registerSearchTree(session),
        registerDrafts(session),
        registerStatus(session),
        registerServerStatus(session),
        registerProgress(session),
        registerContexts(session),
        registerTesting(session),
        ...registerTools(session),
        registerMcpServer(session),
    );
    goToDemo(session);
    activation.milliseconds = Math.round(performance.now() - activation.began);
    log.info(`activated in ${activation.milliseconds} ms`);
    // Nobody but the tests inside the extension host gets to see the session.
    return context.extensionMode === ExtensionMode.Test ? session : undefined;
}

function end(chooser: Chooser, daemon: Daemon): Promise<void> {
    // An environment that is being made for the server is not waited for.
    chooser.dispose();
    return daemon.stop();
}

/** Ends the server, and gives it the time to end what it has started. */
export async function deactivate(): Promise<void> {
    await Promise.all([...endings].map((end) => end()));
    endings.clear();
}
