// How the language client is set up: what it says it can do, and what it does otherwise than others.

import { Uri } from "vscode";
import type { CancellationToken, LogOutputChannel } from "vscode";
import {
    CloseAction,
    ErrorAction,
    LanguageClient,
    RevealOutputChannelOn,
    TextDocumentContentRequest,
} from "vscode-languageclient/node";
import type {
    ClientCapabilities,
    ErrorHandler,
    LanguageClientOptions,
    Middleware,
    StaticFeature,
} from "vscode-languageclient/node";

import { said } from "../log";
import { VERSIONS } from "../protocol";
import type { Asked, Commands } from "../protocol";
import { serverSettings } from "../settings";
import type { SettingsTree } from "../settings";
import { SERVER_SETTINGS } from "../settingNames";
import type { Forgive } from "./daemon";
import type { PythonExtension } from "./pythonExtension";
import type { Choice } from "./resolve";

/** A command that this extension carries out itself; the server shows the result of the others. */
export type ServerCommand = Exclude<keyof Commands, "certo.diff" | "certo.tests" | "certo.traceback">;

/** What a command of the server's own, in a hover or a code action, does here. */
export type RunServerCommand = (command: ServerCommand, argument: unknown) => Promise<unknown>;

/** Something of the editor's that the server may ask for. */
export interface Lender {
    /** Has a client that is not started yet answer the server's questions. */
    serve(client: LanguageClient): void;
}

/** What the extension lends to the server. */
export type Lent = Readonly<Record<keyof Pick<Asked, "model" | "secrets">, Lender>>;

/** What a client is given of the extension. */
export interface Surroundings {
    readonly lent: Lent;
    readonly run: RunServerCommand;
    readonly python: PythonExtension;
    /** The searches about a document, of which the extension has cards of its own; found when the server is told of one. */
    readonly searches: { of(uri: string): readonly unknown[]; recover(): Promise<void> };
    readonly forgive: Forgive;
    readonly log: LogOutputChannel;
}

/** Builds the client of a server; it is not started. */
export function buildClient(choice: Choice, around: Surroundings): LanguageClient {
    const options: LanguageClientOptions = {
        documentSelector: [
            { scheme: "file", language: "python" },
            { notebook: { scheme: "file" }, language: "python" },
        ],
        outputChannel: around.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        middleware: {
            ...middleware(around),
            provideTextDocumentContent: (uri, token) => content(client, uri, token),
        },
        errorHandler: crashHandler(around.forgive),
        // The reason is said by whoever has started the client.
        initializationFailedHandler: () => false,
    };
    const server = { command: choice.command, args: [...choice.args] };
    const client: LanguageClient = new LanguageClient("certo", "Certo", server, options);
    client.registerFeature(asking({ versions: [...VERSIONS], instructions: true, model: true, secrets: true }));
    around.lent.model.serve(client);
    around.lent.secrets.serve(client);
    return client;
}

/** Whether the server is started once more is decided elsewhere, and what is said of it as well. */
function crashHandler(forgive: Forgive): ErrorHandler {
    return {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: forgive() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
    };
}

/** The text of one of the server's own documents; of one that is there no more, the sentence that says so. */
async function content(client: LanguageClient, uri: Uri, token: CancellationToken): Promise<string> {
    try {
        const params = { uri: client.code2ProtocolConverter.asUri(uri) };
        return (await client.sendRequest(TextDocumentContentRequest.type, params, token)).text;
    } catch (error) {
        return uri.path.endsWith(".py") ? `# ${said(error)}\n` : `${said(error)}\n`;
    }
}

const SERVER_COMMANDS: ServerCommand[] = [
    "certo.generate",
    "certo.cancel",
    "certo.accept",
    "certo.retry",
    "certo.showDiff",
    "certo.dismiss",
    "certo.next",
    "certo.more",
];

function isServerCommand(command: string): command is ServerCommand {
    return SERVER_COMMANDS.some((each) => each === command);
}

function middleware({ run, python, searches }: Surroundings): Middleware {
    return {
        executeCommand: (command, args: unknown[], next): unknown =>
            isServerCommand(command) ? run(command, args[0]) : next(command, args),
        // The extension has lenses, scores and cards of its own, which move while a candidate is being written.
        // The server's own say where a function acts differently than in the last commit.
        provideCodeLenses: async (document, token, next) =>
            (await next(document, token))?.filter(({ command }) => command?.command === "certo.diff"),
        provideInlayHints: () => [],
        provideHover: (document, position, token, next) =>
            searches.of(document.uri.toString()).length > 0 ? null : next(document, position, token),
        handleDiagnostics: (uri, diagnostics, next) => {
            next(uri, diagnostics);
            // They come with an offer that nobody has asked for, and when it is withdrawn.
            void searches.recover();
        },
        didOpen: async (document, next) => {
            await next(document);
            void searches.recover();
        },
        workspace: {
            configuration: (params) =>
                Promise.all(
                    params.items.map((asked) =>
                        settingsOf(asked.scopeUri === undefined ? undefined : Uri.parse(asked.scopeUri), python),
                    ),
                ),
            // The server asks for what it wants to know; sent with it would be every default besides.
            didChangeConfiguration: (_, next) => next([]),
        },
    };
}

/** The settings of a folder, and the interpreter of the Python extension where the user has set none. */
async function settingsOf(scope: Uri | undefined, python: PythonExtension): Promise<SettingsTree> {
    const settings = serverSettings(scope, SERVER_SETTINGS);
    if (settings.interpreter !== undefined) return settings;
    const interpreter = await python.interpreterFor(scope);
    return interpreter === undefined ? settings : { ...settings, interpreter };
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
