// The status bar: how far the searches are and what was found, and how the server stands.

import { Disposable, MarkdownString, StatusBarAlignment, ThemeColor, l10n, window } from "vscode";
import type { StatusBarItem } from "vscode";

import { inMarkdown } from "../searches/markdown";
import { Pace } from "../searches/pace";
import { fateOf, progressInShort, nameOf, stateLine } from "../searches/searchWords";
import type { Fate } from "../searches/searchWords";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { isSeen } from "./visible";

/** How long the item rests between two changes, in milliseconds. */
const REST = 500;

const ICONS: Readonly<Record<Fate, string>> = {
    running: "$(sync~spin)",
    accepted: "$(check-all)",
    verified: "$(pass)",
    unverified: "$(question)",
    needless: "$(pass)",
    empty: "$(circle-slash)",
    cancelled: "$(debug-stop)",
    broken: "$(error)",
};

/** Shows running searches in the status bar, and those that ended where the user did not see it. */
export function registerStatus(session: Session): Disposable {
    return Disposable.from(new Status(session));
}

class Status implements Disposable {
    private readonly item: StatusBarItem;
    /** The searches that have ended out of sight. */
    private readonly unseen = new Set<string>();
    private readonly pace = new Pace(() => {
        this.show();
    }, REST);
    private readonly listening: Disposable[];

    constructor(private readonly session: Session) {
        this.item = window.createStatusBarItem("certo.searches", StatusBarAlignment.Left, -10);
        this.item.name = l10n.t("Certo: Searches");
        this.item.command = { title: l10n.t("Show the Searches"), command: "certo.searches.focus" };
        this.listening = [
            session.searches.onDidChange((changes) => {
                for (const { kind, search } of changes) {
                    if (kind === "stopped" && search.mine && tells(search)) this.unseen.add(search.id);
                    if (kind === "removed") this.unseen.delete(search.id);
                }
                this.pace.ask();
            }),
            window.onDidChangeVisibleTextEditors(() => {
                this.pace.ask();
            }),
            window.onDidChangeTextEditorVisibleRanges(() => {
                if (this.unseen.size > 0) this.pace.ask();
            }),
            session.places.onDidChange(() => {
                if (this.unseen.size > 0) this.pace.ask();
            }),
        ];
    }

    dispose(): void {
        this.pace.dispose();
        this.item.dispose();
        for (const each of this.listening) each.dispose();
    }

    private show(): void {
        const all = this.session.searches.all();
        for (const search of all) {
            if (!tells(search) || isSeen(this.session, search)) this.unseen.delete(search.id);
        }
        const running = all.filter((search) => search.state === "running");
        const ended = all.filter((search) => this.unseen.has(search.id));
        const [first] = running.length > 0 ? running : ended;
        if (first === undefined) {
            this.item.hide();
            return;
        }
        const one = running.length + ended.length === 1;
        this.item.text =
            running.length > 0
                ? `$(sync~spin) ${running.length === 1 ? ofRunning(first) : l10n.t("Certo: {0} searches", running.length)}`
                : `${ICONS[fateOf(first)]} ${one ? ofEnded(first) : l10n.t("Certo: {0} results", ended.length)}`;
        const broken = running.length === 0 && ended.some((search) => fateOf(search) === "broken");
        this.item.backgroundColor = broken ? new ThemeColor("statusBarItem.errorBackground") : undefined;
        this.item.tooltip = tooltip([...running, ...ended]);
        this.item.accessibilityInformation = { label: spoken([...running, ...ended]) };
        this.item.show();
    }
}

/** Whether the end of a search is news: what the user has stopped or accepted is none. */
function tells(search: Search): boolean {
    return search.state === "stopped" && !["accepted", "cancelled"].includes(fateOf(search));
}

function ofRunning(search: Search): string {
    const progress = progressInShort(search);
    return progress === "" ? l10n.t("Certo: {0}", nameOf(search)) : l10n.t("Certo {0}", progress);
}

function ofEnded(search: Search): string {
    return l10n.t("Certo: {0}", nameOf(search));
}

function tooltip(searches: readonly Search[]): MarkdownString {
    const lines = searches.map(
        (search) => `${ICONS[fateOf(search)]} **${iconless(nameOf(search))}** — ${iconless(stateLine(search, l10n))}`,
    );
    return new MarkdownString(lines.join("  \n"), true);
}

/** Words of others where icons are drawn, even in code. */
function iconless(words: string): string {
    return inMarkdown(words).replaceAll("$(", "$\u200b(");
}

function spoken(searches: readonly Search[]): string {
    return searches.map((search) => `${nameOf(search)}: ${stateLine(search, l10n)}`).join("; ");
}
