// Tells VS Code of `certo mcp`, so that agents can call its tools; VS Code starts it when one does.

import { EventEmitter, Disposable, McpStdioServerDefinition, Uri, l10n, lm, workspace } from "vscode";
import type { McpServerDefinitionProvider } from "vscode";

import { runToEnd } from "../daemon/programs";
import type { Session } from "../session";
import { regret } from "../tell";
import { EXTRA_MISSING, mcpArguments, missingExtra } from "./mcpProgram";

/** The id of the provider in `package.json`. */
const ID = "certo.mcp";

/** How long the server may take to say that it can start, in milliseconds. */
const PATIENCE = 20_000;

/** Offers the server for the folders of this window. */
export function registerMcpServer(session: Session): Disposable {
    const changed = new EventEmitter<void>();
    const tell = (): void => {
        changed.fire();
    };
    return Disposable.from(
        changed,
        workspace.onDidChangeWorkspaceFolders(tell),
        workspace.onDidGrantWorkspaceTrust(tell),
        lm.registerMcpServerDefinitionProvider(ID, mcpProvider(session, changed)),
    );
}

/** What VS Code asks for the server. */
export function mcpProvider(
    session: Session,
    changed: EventEmitter<void>,
): McpServerDefinitionProvider<McpStdioServerDefinition> {
    return {
        onDidChangeMcpServerDefinitions: changed.event,
        provideMcpServerDefinitions: () => {
            const roots = rootsOfWindow();
            // Which program it is, is only known once one is wanted: to find it may mean to install it.
            return roots.length > 0 ? [new McpStdioServerDefinition("Certo", "certo", ["mcp"])] : [];
        },
        resolveMcpServerDefinition: (server) => resolve(session, server),
    };
}

function rootsOfWindow(): string[] {
    const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []) : [];
    return folders
        .map(({ uri }) => uri)
        .filter(({ scheme }) => scheme === "file")
        .map(({ fsPath }) => fsPath);
}

/** The program and its arguments; undefined where it cannot be started, after the user was told why. */
async function resolve(
    session: Session,
    server: McpStdioServerDefinition,
): Promise<McpStdioServerDefinition | undefined> {
    await session.daemon.started();
    const choice = session.chooser.choice;
    const roots = rootsOfWindow();
    const [first] = roots;
    if (choice === undefined || first === undefined) return undefined;
    const args = mcpArguments(choice, roots);
    // It is given no input here, so it ends at once: well, or for want of its extra.
    const { code, all } = await runToEnd(choice.command, args, { patience: PATIENCE });
    if (code !== 0) {
        const words =
            code === EXTRA_MISSING ? missingExtra(choice, l10n) : l10n.t("The Certo MCP server does not start");
        session.log.error([words, ...all].join("\n"));
        void regret(words);
        return undefined;
    }
    server.command = choice.command;
    server.args = args;
    server.cwd = Uri.file(first);
    if (choice.version !== "") server.version = choice.version;
    return server;
}
