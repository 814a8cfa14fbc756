// The keys of language models: they are kept in the editor's secret storage, and told to nobody but the server.

import { CancellationTokenSource, l10n, window } from "vscode";
import type { CancellationToken, Disposable, Memento, SecretStorage } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import type { SecretAnswer, SecretQuestion } from "../protocol";
import { labelOf } from "./providers";
import { Shared } from "./shared";

/** What stands before a key's name in the storage. */
const PREFIX = "certo.key.";

/** Where the names of the keys are remembered, for the storage does not tell them. */
const NAMES = "certo.keyNames";

/** Tells which searches run that the user of this window has asked for. */
export type RunningSearches = () => readonly string[];

/** The user's keys. Nothing of them is kept here, so that what is changed elsewhere counts at once. */
export class Secrets implements Disposable {
    /** The keys that are being asked for, so that nobody is asked twice at once. */
    private readonly asking = new Map<string, Shared<string>>();
    /** The searches for which the user would not give a key, by the key's name. */
    private readonly declined = new Map<string, ReadonlySet<string>>();
    private readonly listening: Disposable;

    constructor(
        private readonly storage: SecretStorage,
        private readonly names: Memento,
        private readonly running: RunningSearches,
    ) {
        this.listening = storage.onDidChange((change) => {
            if (change.key.startsWith(PREFIX)) this.declined.delete(change.key.slice(PREFIX.length));
        });
    }

    /** Has a client that is not started yet answer the server's questions. */
    serve(client: LanguageClient): void {
        client.onRequest("certo/secret", (question: SecretQuestion, token: CancellationToken) =>
            this.answer(question, token),
        );
    }

    /** Finds a key; the user is asked for one that is missing when a search of theirs needs it. */
    async answer(question: SecretQuestion, token: CancellationToken): Promise<SecretAnswer> {
        const { provider, name } = question;
        const kept = await this.storage.get(PREFIX + name);
        if (kept !== undefined) return { secret: kept };
        const searches = this.running();
        const declined = this.declined.get(name);
        if (searches.every((id) => declined?.has(id) === true)) return { secret: null };
        const given = await this.asked(provider, name, token);
        // A question that was taken back was not answered, and may be asked again.
        if (given === "" && !token.isCancellationRequested) {
            this.declined.set(name, new Set([...(this.declined.get(name) ?? []), ...searches]));
        }
        return { secret: given === "" ? null : given };
    }

    /** Whether there is a key of this name. */
    async has(name: string): Promise<boolean> {
        return (await this.storage.get(PREFIX + name)) !== undefined;
    }

    /** Keeps a key. */
    async keep(name: string, key: string): Promise<void> {
        await this.storage.store(PREFIX + name, key);
        await this.names.update(NAMES, [...new Set([...this.known(), name])].sort());
    }

    /** Forgets a key. */
    async forget(name: string): Promise<void> {
        await this.storage.delete(PREFIX + name);
        await this.names.update(
            NAMES,
            this.known().filter((each) => each !== name),
        );
    }

    /** The names of the keys that are kept. */
    known(): readonly string[] {
        return this.names.get<readonly string[]>(NAMES, []);
    }

    dispose(): void {
        this.listening.dispose();
    }

    /** Asks the user for a key, once for all that wait for it; empty when they give none, or this one waits no more. */
    private async asked(provider: string, name: string, token: CancellationToken): Promise<string> {
        let shared = this.asking.get(name);
        if (shared === undefined || shared.isOver) {
            shared = new Shared((signal) => this.ask(provider, name, signal));
            this.asking.set(name, shared);
        }
        const leaving = new AbortController();
        const listening = token.onCancellationRequested(() => {
            leaving.abort();
        });
        try {
            return (await shared.wait(leaving.signal)) ?? "";
        } finally {
            listening.dispose();
        }
    }

    private async ask(provider: string, name: string, signal: AbortSignal): Promise<string> {
        const source = new CancellationTokenSource();
        signal.addEventListener("abort", () => {
            source.cancel();
        });
        const given = await window.showInputBox(
            {
                title: l10n.t("Key of {0}", labelOf(provider)),
                prompt: l10n.t("Your search needs it. It is stored in VS Code's secret storage as {0}.", name),
                password: true,
                ignoreFocusOut: true,
            },
            source.token,
        );
        source.dispose();
        const key = given?.trim() ?? "";
        if (key !== "") await this.keep(name, key);
        return key;
    }
}
