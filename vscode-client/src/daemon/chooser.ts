// Finds the program that is the server, making an environment for it if need be, and keeps why it is this one.

import { l10n, ProgressLocation, Uri, window, workspace } from "vscode";
import type { CancellationToken, Disposable, ExtensionContext, LogOutputChannel, Progress } from "vscode";

import { said } from "../log";
import { ownSettings } from "../settings";
import { lastWords, looksOffline, NoServer } from "./absence";
import { Environments, NotMade, wheelIn } from "./environments";
import type { Stage, Wheel } from "./environments";
import { findPython } from "./findPython";
import { meant, onPath, runToEnd } from "./programs";
import type { PythonExtension } from "./pythonExtension";
import { lastResort, resolve, runOwn, versionIn } from "./resolve";
import type { Choice, Own, Program } from "./resolve";
import { whyServer } from "./words";

/** How long a program may take to say its version, in milliseconds. */
const PATIENCE = 20_000;

/** How much of the progress bar an environment without packages is, and each package, in percent; there are some ten. */
const IN_PLACE = 20;
const EACH = 6;

/** Chooses the server of this window. */
export class Chooser implements Disposable {
    private readonly ending = new AbortController();
    private readonly environments: Environments;
    private readonly bundled: string;
    private chosen: Choice | undefined;

    constructor(
        context: ExtensionContext,
        private readonly python: PythonExtension,
        private readonly log: LogOutputChannel,
    ) {
        this.environments = new Environments(Uri.joinPath(context.globalStorageUri, "servers").fsPath);
        this.bundled = context.asAbsolutePath("bundled");
    }

    /** What was chosen last. */
    get choice(): Choice | undefined {
        return this.chosen;
    }

    /**
     * Finds the server, and says in the log why it is this one.
     *
     * @throws NoServer when there is none to be had.
     */
    async choose(): Promise<Choice> {
        this.chosen = undefined;
        if (!workspace.isTrusted) {
            throw new NoServer(
                "untrusted",
                l10n.t("In Restricted Mode Certo runs nothing. Trust this workspace to let it work here."),
            );
        }
        const choice = await this.find();
        const version = choice.version === "" ? "" : ` ${choice.version}`;
        this.log.info(`${[choice.command, ...choice.args].join(" ")}${version}: ${whyServer(choice)}`);
        this.chosen = choice;
        return choice;
    }

    dispose(): void {
        this.ending.abort(new NoServer("cancelled", l10n.t("The window was closed.")));
    }

    private async find(): Promise<Choice> {
        const { command, python } = ownSettings();
        const setting = command === "" ? undefined : await this.named(command);
        const wheel = setting === undefined ? await wheelIn(this.bundled) : undefined;
        const own = wheel === undefined ? undefined : await this.environments.find(wheel, python);
        const found = own === undefined && setting === undefined ? await onThePath() : undefined;
        const decision = resolve({ setting, own, onPath: found, carried: wheel?.version });
        if (decision.kind === "run") return decision.choice;
        if (decision.kind === "none" || wheel === undefined) {
            throw new NoServer(
                "noProgram",
                l10n.t(
                    "This build of the extension carries no server. Install one with pip install certo, or name it in the setting certo.server.command.",
                ),
            );
        }
        return await this.makeOr(lastResort(found), wheel);
    }

    private async named(command: string): Promise<Program> {
        const file = await meant(command);
        if (file === undefined) {
            throw new NoServer(
                "noProgram",
                l10n.t("The setting certo.server.command names “{0}”, and there is no such program.", command),
            );
        }
        return { command: file, version: await versionOf(file) };
    }

    private async makeOr(other: Choice | undefined, wheel: Wheel): Promise<Choice> {
        try {
            return runOwn(await this.make(wheel));
        } catch (error) {
            if (other === undefined || !(error instanceof NoServer) || error.problem === "cancelled") throw error;
            this.log.warn(said(error));
            return other;
        }
    }

    private async make(wheel: Wheel): Promise<Own> {
        const python = await findPython(this.python, this.log);
        return await window.withProgress(
            {
                location: ProgressLocation.Notification,
                title: l10n.t("Certo sets up its server (only once, about a minute; you can go on working)"),
                cancellable: true,
            },
            async (progress, token) => {
                try {
                    return await this.environments.make(wheel, python, {
                        signal: this.signalOf(token),
                        at: (stage) => {
                            progress.report({
                                message: stageWords(stage, python.version),
                                increment: stage === "packages" ? IN_PLACE : 0,
                            });
                        },
                        onLine: (line) => {
                            this.heard(line, progress);
                        },
                    });
                } catch (error) {
                    throw notMade(error, python.executable);
                }
            },
        );
    }

    private heard(line: string, progress: Progress<{ message: string; increment: number }>): void {
        this.log.info(line);
        const name = /^Collecting ([\w.-]+)/.exec(line)?.[1];
        if (name !== undefined) progress.report({ message: l10n.t("step 2 of 2, getting {0}", name), increment: EACH });
    }

    private signalOf(token: CancellationToken): AbortSignal {
        const cancelling = new AbortController();
        token.onCancellationRequested(() => {
            cancelling.abort(
                new NoServer(
                    "cancelled",
                    l10n.t(
                        "You cancelled the setup of the Certo server. Run “Certo: Restart the Server” to start it again.",
                    ),
                ),
            );
        });
        return AbortSignal.any([cancelling.signal, this.ending.signal]);
    }
}

function notMade(error: unknown, python: string): unknown {
    if (!(error instanceof NotMade)) return error;
    const why = lastWords(error.printed);
    if (error.stage === "packages" && looksOffline(error.printed)) {
        return new NoServer(
            "notInstalled",
            l10n.t(
                "The Certo server needs packages from the Python package index once. The index could not be reached: {0}",
                why,
            ),
        );
    }
    return new NoServer("notInstalled", l10n.t("The Certo server could not be set up with {0}: {1}", python, why));
}

function stageWords(stage: Stage, version: string): string {
    switch (stage) {
        case "waiting":
            return l10n.t("waiting for another window that is doing it");
        case "environment":
            return l10n.t("step 1 of 2, making an environment with Python {0}", version);
        case "packages":
            return l10n.t("step 2 of 2, installing it and what it needs");
    }
}

async function onThePath(): Promise<Program | undefined> {
    const command = await onPath("certo");
    if (command === undefined) return undefined;
    const version = await versionOf(command);
    return version === "" ? undefined : { command, version };
}

async function versionOf(command: string): Promise<string> {
    return versionIn((await runToEnd(command, ["--version"], { patience: PATIENCE })).out);
}
