// The server's life: it is started once, restarted when asked to, and never twice at the same time.

import { EventEmitter } from "vscode";
import type { CancellationToken, Disposable, Event, LogOutputChannel } from "vscode";
import { ResponseError, State } from "vscode-languageclient/node";
import type { LanguageClient } from "vscode-languageclient/node";

import { said } from "../log";
import type { ClientNotifications, ClientRequests, Failure } from "../protocol";

/** How the server stands. */
export type DaemonState =
    | { readonly kind: "stopped" }
    | { readonly kind: "starting" }
    | { readonly kind: "running"; readonly instance: string }
    | { readonly kind: "failed"; readonly reason: string };

/** Builds a client that is ready to start; rejects with a sentence for the user when there is no server to be had. */
export type MakeClient = () => Promise<LanguageClient>;

/** An error that the server answered a request with. */
export class Refusal extends Error {
    constructor(
        message: string,
        readonly failure: Failure | undefined,
    ) {
        super(message);
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
    private turn: Promise<void> = Promise.resolve();
    private wanted = 0;

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

    /** Starts the server, or starts it anew. Of restarts that are asked for while one waits, only the last is done. */
    restart(): Promise<void> {
        const mine = ++this.wanted;
        this.turn = this.turn.then(async () => {
            if (mine === this.wanted) await this.replace();
        });
        return this.turn;
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

    /** Stops the server; it may be started again. */
    async stop(): Promise<void> {
        this.wanted++;
        this.turn = this.turn.then(() => this.end());
        await this.turn;
        this.become({ kind: "stopped" });
    }

    dispose(): void {
        void this.stop();
        this.changed.dispose();
    }

    private absence(): string {
        return this.now.kind === "failed"
            ? this.now.reason
            : "Certo's server does not run; see the command “Certo: Doctor”.";
    }

    private async replace(): Promise<void> {
        this.become({ kind: "starting" });
        try {
            await this.end();
            const client = await this.make();
            this.current = client;
            client.onDidChangeState((change) => {
                if (client === this.current) this.follow(client, change.newState);
            });
            await client.start();
        } catch (error) {
            this.log.error(said(error));
            this.become({ kind: "failed", reason: said(error) });
        }
    }

    private follow(client: LanguageClient, state: State): void {
        if (state === State.Running) this.become({ kind: "running", instance: instanceOf(client) });
        else if (state === State.Starting) this.become({ kind: "starting" });
        else if (this.now.kind === "running") this.become({ kind: "stopped" });
    }

    private async end(): Promise<void> {
        const client = this.current;
        this.current = undefined;
        await client?.dispose();
    }

    private become(state: DaemonState): void {
        this.now = state;
        this.changed.fire(state);
    }
}

function instanceOf(client: LanguageClient): string {
    const experimental = client.initializeResult?.capabilities.experimental as
        | { certo?: { instance?: string } }
        | undefined;
    return experimental?.certo?.instance ?? "";
}
