// The server's life: it is started once, restarted when asked to, and never twice at the same time.

import { EventEmitter, l10n } from "vscode";
import type { CancellationToken, Disposable, Event, LogOutputChannel } from "vscode";
import { DidChangeConfigurationNotification, ResponseError, State } from "vscode-languageclient/node";
import type { LanguageClient } from "vscode-languageclient/node";

import { said } from "../log";
import type { ClientNotifications, ClientRequests, Failure } from "../protocol";
import { sentence } from "../sentence";
import { NoServer } from "./absence";
import type { Problem } from "./absence";
import { Crashes } from "./crashes";
import { Queue } from "./queue";

/** How the server stands. */
export type DaemonState =
    | { readonly kind: "stopped" }
    | { readonly kind: "starting" }
    | { readonly kind: "running"; readonly instance: string }
    | { readonly kind: "failed"; readonly reason: string; readonly problem: Problem };

/** Says, when the server has ended by itself, whether it is to be started once more. */
export type Forgive = () => boolean;

/** Builds a client that is ready to start; rejects with NoServer when there is no server to be had. */
export type MakeClient = (forgive: Forgive) => Promise<LanguageClient>;

/** An error that the server answered a request with; its words are a sentence for the user. */
export class Refusal extends Error {
    constructor(
        message: string,
        readonly failure: Failure | undefined,
    ) {
        super(sentence(message));
        this.name = "Refusal";
    }

    /** Whether the server's error has this name. */
    is(name: string): boolean {
        return this.failure?.name === name;
    }
}

/** The server, as the rest of the extension sees it. */
export class Daemon implements Disposable {
    private readonly changed = new EventEmitter<DaemonState>();
    private current: LanguageClient | undefined;
    private now: DaemonState = { kind: "stopped" };
    private readonly queue = new Queue();
    private crashes = new Crashes();

    /** Tells of every change of `state`. */
    readonly onDidChangeState: Event<DaemonState> = this.changed.event;

    constructor(
        private readonly make: MakeClient,
        private readonly log: LogOutputChannel,
    ) {}

    get state(): DaemonState {
        return this.now;
    }

    /** The client of the running server; undefined while there is none. */
    get client(): LanguageClient | undefined {
        return this.now.kind === "running" ? this.current : undefined;
    }

    /** Starts the server unless it runs; resolves when it runs or cannot be had, as `state` says then. */
    started(): Promise<void> {
        if (this.now.kind === "running") return Promise.resolve();
        return this.queue.take("start", async () => {
            if (this.now.kind !== "running") await this.replace();
        });
    }

    /** Starts the server anew. Two wishes for it that wait behind the same work are one. */
    restart(): Promise<void> {
        return this.queue.take("restart", () => this.replace());
    }

    /**
     * Asks the server something.
     *
     * @throws Refusal when the server refuses, or when there is none.
     */
    async ask<M extends keyof ClientRequests>(
        method: M,
        params: ClientRequests[M]["params"],
        token?: CancellationToken,
    ): Promise<ClientRequests[M]["result"]> {
        const client = this.client;
        if (client === undefined) throw new Refusal(this.absence(), undefined);
        try {
            type Result = ClientRequests[M]["result"];
            // An argument that is undefined would be sent as a parameter of its own.
            return await (token === undefined
                ? client.sendRequest<Result>(method, params)
                : client.sendRequest<Result>(method, params, token));
        } catch (error) {
            if (error instanceof ResponseError) throw new Refusal(error.message, error.data as Failure | undefined);
            throw error;
        }
    }

    /** Tells the server something; nothing happens when there is none. */
    async tell<M extends keyof ClientNotifications>(
        method: M,
        params: ClientNotifications[M]["params"],
    ): Promise<void> {
        await this.client?.sendNotification(method, params);
    }

    /** Tells the server that settings have changed, so that it asks for them again. */
    async settingsChanged(): Promise<void> {
        await this.client?.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }

    /** Stops the server; it may be started again. */
    stop(): Promise<void> {
        return this.queue.take("stop", async () => {
            await this.end();
            this.become({ kind: "stopped" });
        });
    }

    dispose(): void {
        void this.stop();
        this.changed.dispose();
    }

    private absence(): string {
        return this.now.kind === "failed"
            ? this.now.reason
            : l10n.t("The Certo server is not running; see the command “Certo: Doctor”.");
    }

    private async replace(): Promise<void> {
        this.become({ kind: "starting" });
        await this.end();
        this.crashes = new Crashes();
        try {
            const client = await this.make(() => this.isRunning(client) && this.crashes.forgives(Date.now()));
            this.current = client;
            client.onDidChangeState((change) => {
                if (client === this.current) this.follow(client, change.newState);
            });
            await client.start();
        } catch (error) {
            this.fail(error);
        }
    }

    private isRunning(client: LanguageClient): boolean {
        return client === this.current && this.now.kind === "running";
    }

    private follow(client: LanguageClient, state: State): void {
        if (state === State.Running) this.meet(client);
        else if (state === State.Starting) this.become({ kind: "starting" });
        else if (state === State.StartFailed) {
            this.fail(new NoServer("crashed", l10n.t("The Certo server ended during its start. The log says why.")));
        } else if (this.now.kind === "running") {
            // One that is forgiven is started once more by its client at once.
            if (this.crashes.forgiving) this.become({ kind: "starting" });
            else this.fail(new NoServer("crashed", l10n.t("The Certo server keeps crashing; the log says why.")));
        }
    }

    /** The server runs; what it says of itself decides whether it can be worked with. */
    private meet(client: LanguageClient): void {
        const instance = instanceOf(client);
        if (instance !== undefined) {
            this.become({ kind: "running", instance });
            return;
        }
        const sentence = l10n.t(
            "The Certo server and this extension have no protocol version in common; update the older one.",
        );
        this.fail(new NoServer("noProgram", sentence));
    }

    private async end(): Promise<void> {
        const client = this.current;
        this.current = undefined;
        try {
            await client?.dispose();
        } catch (error) {
            // One that never came up, or does not answer any more, is killed by the client a moment later.
            this.log.debug(said(error));
        }
    }

    private fail(error: unknown): void {
        if (this.now.kind === "failed") return;
        this.log.error(said(error));
        const problem = error instanceof NoServer ? error.problem : "failed";
        this.become({ kind: "failed", reason: said(error), problem });
    }

    private become(state: DaemonState): void {
        this.now = state;
        this.changed.fire(state);
    }
}

/** The name of the daemon; undefined when it has not agreed to certo's own protocol. */
function instanceOf(client: LanguageClient): string | undefined {
    const experimental = client.initializeResult?.capabilities.experimental as
        | { certo?: { instance?: string } }
        | undefined;
    return experimental?.certo?.instance;
}
