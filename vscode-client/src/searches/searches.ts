// The searches of this window: they are asked for here, and followed from their first event to their last.

import { randomUUID } from "node:crypto";

import { CancellationTokenSource, EventEmitter, TextDocumentChangeReason, workspace } from "vscode";
import type { CancellationToken, Disposable, Event, LogOutputChannel } from "vscode";
import { ProgressType } from "vscode-languageclient/node";

import type { Daemon } from "../daemon/daemon";
import { Refusal } from "../daemon/daemon";
import { said } from "../log";
import type { AnyEvent, RetryParams, SearchSummary, StartParams } from "../protocol";
import { begin, tell } from "./state";
import type { Beginning, Search } from "./state";

/** How long changes are gathered before they are told, in milliseconds; text streams in faster than eyes read. */
const GATHERING = 40;

/** How long what was stopped cannot be acted upon, in milliseconds: a second click on Stop is no other wish. */
const SECOND_CLICK = 700;

/** How long after an undo the server is asked what it makes of it, in milliseconds; it hears of the text meanwhile. */
const PATIENCE = 120;

/** What has changed. */
export interface SearchChange {
    readonly kind: "added" | "changed" | "stopped" | "removed";
    readonly search: Search;
}

/** A search that a wish has led to. */
export interface Started {
    readonly search: Search;
    /** What the server says of how it found the function, where the wish was about a test; empty otherwise. */
    readonly sentence: string;
}

/** A wish to search, without the key under which it is sent. */
export type Wish = Omit<StartParams, "key">;

/** A wish to search again, otherwise. */
export type OtherWish = Omit<RetryParams, "key">;

const EVENTS = new ProgressType<AnyEvent[]>();

/** All searches that this window knows of. */
export class Searches implements Disposable {
    private readonly known = new Map<string, Search>();
    private readonly attachments = new Map<string, CancellationTokenSource>();
    private readonly changed = new EventEmitter<readonly SearchChange[]>();
    /** What comes back if the search of that id is refused before it has begun in earnest. */
    private readonly setAside = new Map<string, readonly Search[]>();
    private readonly listening: Disposable;
    private gathered: SearchChange[] = [];
    private timer: NodeJS.Timeout | undefined;
    private instance = "";

    /** Tells what has changed, some of it at a time. */
    readonly onDidChange: Event<readonly SearchChange[]> = this.changed.event;

    constructor(
        private readonly daemon: Daemon,
        private readonly log: LogOutputChannel,
    ) {
        this.listening = workspace.onDidChangeTextDocument(({ reason, document }) => {
            if (reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo) {
                setTimeout(() => void this.lookAgain(document.uri.toString()), PATIENCE);
            }
        });
    }

    /** Every search, the newest first. */
    all(): Search[] {
        return [...this.known.values()].reverse();
    }

    get(id: string): Search | undefined {
        return this.known.get(id);
    }

    /** The searches about a document. */
    of(uri: string): Search[] {
        return this.all().filter((search) => search.uri === uri);
    }

    /** The search about a function of a document. */
    about(uri: string, qualname: string): Search | undefined {
        return this.of(uri).find((search) => search.qualname === qualname);
    }

    /** The ids of the searches that run because the user of this window wants them to. */
    wanted(): string[] {
        return this.all()
            .filter((search) => search.mine && search.state === "running")
            .map((search) => search.id);
    }

    /**
     * Starts a search, or finds the one that runs there already.
     *
     * @throws Refusal when the server will not.
     */
    async start(wish: Wish, token?: CancellationToken): Promise<Started> {
        const result = await this.daemon.ask("certo/search/start", { ...wish, key: randomUUID() }, token);
        return { search: await this.follow(result.searchId, wish.instruction ?? ""), sentence: result.sentence ?? "" };
    }

    /**
     * Makes a search once more, otherwise; the old one is gone then, unless the new one is refused.
     *
     * @throws Refusal when the server will not.
     */
    async retry(old: Search, wish: OtherWish): Promise<Search> {
        const result = await this.daemon.ask("certo/search/retry", { ...wish, key: randomUUID() });
        return await this.follow(result.searchId, wish.instruction ?? old.instruction);
    }

    /**
     * Has a search that was interrupted or stopped go on where it was.
     *
     * @throws Refusal when the server will not.
     */
    async resume(search: Search): Promise<void> {
        await this.daemon.ask("certo/search/resume", { searchId: search.id });
        search.mine = true;
        search.state = "running";
        this.note("added", search);
        this.attach(search);
    }

    /**
     * Ends a search; resolves when its processes are dead.
     *
     * @throws Refusal when something of it is left.
     */
    async stop(search: Search): Promise<void> {
        search.stopping = true;
        this.note("changed", search);
        try {
            await this.daemon.ask("certo/search/cancel", { searchId: search.id });
        } finally {
            setTimeout(() => {
                search.stopping = false;
                this.note("changed", search);
            }, SECOND_CLICK);
        }
    }

    /** Forgets a search, ending it if it runs. */
    async forget(search: Search): Promise<void> {
        try {
            if (search.accepted === null) await this.daemon.ask("certo/search/forget", { searchId: search.id });
        } catch (error) {
            // What the server does not know any more need not be forgotten there.
            if (!(error instanceof Refusal && error.is("SearchNotFound"))) throw error;
        }
        this.remove(search.id);
    }

    /** Gets what has been told of a search that has ended; of one that runs, it comes by itself. */
    async catchUp(search: Search): Promise<void> {
        if (search.state === "running") return;
        const { events } = await this.daemon.ask("certo/search/attach", {
            searchId: search.id,
            fromSeq: search.lastSeq,
        });
        for (const event of events) tell(search, event);
        this.note("changed", search);
    }

    /** Takes note that a candidate has been accepted, of whose search the server knows no more. */
    accepted(search: Search, candidateId: string): void {
        search.accepted = candidateId;
        this.note("stopped", search);
    }

    /**
     * Finds the searches that the server knows of, and follows those that are not followed yet.
     *
     * Those of a server that has gone are found by the next one when it is told of a document of their project; there, a
     * search that was running has ended, and what this window has not heard of it yet is told now.
     */
    async recover(): Promise<void> {
        const { state } = this.daemon;
        if (state.kind !== "running") return;
        if (state.instance !== this.instance) {
            this.instance = state.instance;
            for (const source of this.attachments.values()) source.dispose();
            this.attachments.clear();
        }
        try {
            const listed = await this.list();
            for (const summary of listed) this.find(summary);
            this.withdraw(new Set(listed.map((summary) => summary.searchId)));
        } catch (error) {
            this.log.debug(said(error));
        }
    }

    /** The server has gone: what was running is shown as ended until it is back. */
    lost(): void {
        for (const source of this.attachments.values()) source.dispose();
        this.attachments.clear();
        for (const search of this.known.values()) {
            if (search.state === "stopped") continue;
            search.state = "stopped";
            this.note("stopped", search);
        }
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.listening.dispose();
        for (const source of this.attachments.values()) source.dispose();
        this.changed.dispose();
    }

    private async follow(searchId: string, instruction: string): Promise<Search> {
        const known = this.known.get(searchId);
        if (known !== undefined && this.attachments.has(known.id)) return known;
        const { search: summary } = await this.daemon.ask("certo/search/get", { searchId });
        // Those about the same function are forgotten by the server as soon as this one has begun in earnest.
        const olds = this.of(summary.uri).filter((each) => each.qualname === summary.qualname && each !== known);
        for (const old of olds) this.remove(old.id);
        const search = this.add({ ...beginningOf(summary), instruction, mine: true });
        this.setAside.set(search.id, olds);
        this.attach(search);
        return search;
    }

    /** Forgets what a search has taken the place of, or brings it back where that search was refused. */
    private succeed(search: Search): void {
        const olds = this.setAside.get(search.id) ?? [];
        if (search.baseline !== null) this.setAside.delete(search.id);
        else if (search.state === "stopped" && olds.length > 0) {
            this.setAside.delete(search.id);
            this.forget(search).catch((error: unknown) => {
                this.log.debug(`${search.id}: ${said(error)}`);
            });
            for (const old of olds) {
                this.known.set(old.id, old);
                this.note("added", old);
                // One that ran was ended, and what it told since has not been heard.
                if (old.end === null) this.attach(old);
            }
        }
    }

    /** Finds out what an undo or a redo in a document means for what was accepted in it. */
    private async lookAgain(uri: string): Promise<void> {
        const about = this.of(uri).filter((search) => search.accepted !== null || search.undone !== null);
        if (about.length === 0) return;
        try {
            const offered = new Set((await this.list(uri)).map((summary) => summary.searchId));
            for (const search of about) {
                if ((search.accepted === null) === offered.has(search.id)) continue;
                [search.accepted, search.undone] = [search.undone, search.accepted];
                this.note("stopped", search);
            }
        } catch (error) {
            this.log.debug(said(error));
        }
    }

    private find(summary: SearchSummary): void {
        const known = this.known.get(summary.searchId);
        if (this.attachments.has(summary.searchId)) return;
        if (known === undefined) this.attach(this.add({ ...beginningOf(summary), mine: false }));
        else if (known.lastSeq < summary.lastSeq) this.attach(known);
    }

    /** The searches that the server knows of, about a document or all. */
    private async list(uri?: string): Promise<SearchSummary[]> {
        const found: SearchSummary[] = [];
        let cursor: string | null = null;
        do {
            const page: { searches: SearchSummary[]; cursor: string | null } = await this.daemon.ask(
                "certo/search/list",
                uri === undefined ? { cursor } : { cursor, uri },
            );
            found.push(...page.searches);
            cursor = page.cursor;
        } while (cursor !== null);
        return found;
    }

    /** Takes away what was offered unasked, where the server offers it no more. */
    private withdraw(listed: ReadonlySet<string>): void {
        for (const search of this.all()) {
            if (search.ambient && search.accepted === null && !listed.has(search.id)) this.remove(search.id);
        }
    }

    private add(beginning: Beginning): Search {
        const search = begin(beginning);
        this.known.set(search.id, search);
        this.note("added", search);
        return search;
    }

    private remove(id: string): void {
        const search = this.known.get(id);
        if (search === undefined) return;
        this.known.delete(id);
        this.attachments.get(id)?.cancel();
        this.attachments.delete(id);
        this.note("removed", search);
    }

    private attach(search: Search): void {
        const client = this.daemon.client;
        if (client === undefined) return;
        const token = randomUUID();
        const source = new CancellationTokenSource();
        this.attachments.set(search.id, source);
        const listening = client.onProgress(EVENTS, token, (events) => {
            for (const event of events) tell(search, event);
            this.note(search.state === "stopped" ? "stopped" : "changed", search);
            this.succeed(search);
            // Of a failing test the next suspect is searched, of which nobody here has asked for it.
            const after = search.mine ? search.end?.followedBy : undefined;
            if (after) {
                this.follow(after, search.instruction).catch((error: unknown) => {
                    this.log.debug(said(error));
                });
            }
        });
        this.daemon
            .ask(
                "certo/search/attach",
                { searchId: search.id, fromSeq: search.lastSeq, partialResultToken: token },
                source.token,
            )
            .catch((error: unknown) => {
                if (!source.token.isCancellationRequested) this.log.debug(`${search.id}: ${said(error)}`);
            })
            .finally(() => {
                listening.dispose();
                source.dispose();
            });
    }

    private note(kind: SearchChange["kind"], search: Search): void {
        // What comes in of a search after it was removed would bring it back into views.
        if (kind !== "removed" && this.known.get(search.id) !== search) return;
        const last = this.gathered.at(-1);
        if (last?.search !== search || last.kind !== kind) this.gathered.push({ kind, search });
        this.timer ??= setTimeout(() => {
            this.timer = undefined;
            const changes = this.gathered;
            this.gathered = [];
            this.changed.fire(changes);
        }, GATHERING);
    }
}

function beginningOf(summary: SearchSummary): Omit<Beginning, "mine"> {
    const { searchId: id, uri, qualname, second, line, instruction, ambient } = summary;
    return { id, uri, qualname, second, line, instruction, ambient };
}
