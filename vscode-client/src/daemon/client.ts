// How the language client is set up: what it says it can do, and what it does otherwise than others.

import { Uri } from "vscode";
import type { LogOutputChannel } from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import type { ClientCapabilities, LanguageClientOptions, Middleware, StaticFeature } from "vscode-languageclient/node";

import { VERSIONS } from "../protocol";
import type { Asked, Commands } from "../protocol";
import { serverSettings } from "../settings";
import { SERVER_SETTINGS } from "../settingNames";
import type { Choice } from "./resolve";

/** What a command of the server's own, in a hover or a code action, does here. */
export type RunServerCommand = (command: keyof Commands, argument: unknown) => Promise<unknown>;

/** Something of the editor's that the server may ask for. */
export interface Lender {
    /** Has a client that is not started yet answer the server's questions. */
    serve(client: LanguageClient): void;
}

/** What the extension lends to the server. */
export type Lent = Readonly<Record<keyof Pick<Asked, "model" | "secrets">, Lender>>;

/** Builds the client of a server; it is not started. */
export function buildClient(choice: Choice, lent: Lent, run: RunServerCommand, log: LogOutputChannel): LanguageClient {
    const options: LanguageClientOptions = {
        documentSelector: [
            { scheme: "file", language: "python" },
            { notebook: { scheme: "file" }, language: "python" },
        ],
        outputChannel: log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        markdown: { isTrusted: { enabledCommands: SERVER_COMMANDS } },
        middleware: middleware(run),
    };
    const server = { command: choice.command, args: [...choice.args] };
    const client = new LanguageClient("certo", "Certo", server, options);
    client.registerFeature(
        asking({ versions: [...VERSIONS], commandLinks: true, instructions: true, model: true, secrets: true }),
    );
    lent.model.serve(client);
    lent.secrets.serve(client);
    return client;
}

const SERVER_COMMANDS: (keyof Commands)[] = [
    "certo.generate",
    "certo.cancel",
    "certo.accept",
    "certo.retry",
    "certo.showDiff",
    "certo.dismiss",
    "certo.next",
];

function isServerCommand(command: string): command is keyof Commands {
    return SERVER_COMMANDS.some((each) => each === command);
}

function middleware(run: RunServerCommand): Middleware {
    return {
        executeCommand: (command, args: unknown[], next): unknown =>
            isServerCommand(command) ? run(command, args[0]) : next(command, args),
        // The extension has lenses, scores and cards of its own, which move while a candidate is being written.
        provideCodeLenses: () => [],
        provideInlayHints: () => [],
        provideHover: () => null,
        workspace: {
            configuration: (params) =>
                params.items.map((item) =>
                    serverSettings(item.scopeUri === undefined ? undefined : Uri.parse(item.scopeUri), SERVER_SETTINGS),
                ),
        },
    };
}

/** Asks for certo's own protocol when the session with the server begins. */
function asking(asked: Asked): StaticFeature {
    return {
        fillClientCapabilities(capabilities: ClientCapabilities): void {
            const others = capabilities.experimental as Record<string, unknown> | undefined;
            capabilities.experimental = { ...others, certo: asked };
        },
        initialize(): void {
            // The answer is read where the client runs.
        },
        getState: () => ({ kind: "static" }),
        clear(): void {
            // Nothing is kept.
        },
    };
}
