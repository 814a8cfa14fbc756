// The Certo view: searches as trees of candidates, which change in place while they run.

import { Disposable, EventEmitter, TreeItem, l10n, window, workspace } from "vscode";
import type { Event, TreeDataProvider, TreeView } from "vscode";

import type { Call } from "../searches/calls";
import { Pace } from "../searches/pace";
import type { Search } from "../searches/state";
import { below, rowOf } from "../searches/tree";
import type { Row } from "../searches/tree";
import type { SearchChange } from "../searches/searches";
import type { Session } from "../session";
import { callItem } from "./callItem";
import { complete } from "./treeDetails";
import { itemOf } from "./treeItems";

/** How long the tree rests between two changes, in milliseconds. */
const REST = 400;

/** Shows the view, with the number of running searches on its icon. */
export function registerSearchTree(session: Session): Disposable {
    const tree = new SearchTree(session);
    const view = window.createTreeView("certo.searches", { treeDataProvider: tree, showCollapseAll: true });
    const counting = session.searches.onDidChange((changes) => {
        if (changes.every((each) => each.kind === "changed")) return;
        const running = session.searches.all().filter((each) => each.state === "running").length;
        const tooltip = running === 1 ? l10n.t("1 search is running") : l10n.t("{0} searches are running", running);
        view.badge = running === 0 ? undefined : { value: running, tooltip };
    });
    const start = (): void => {
        startServer(session, view);
    };
    start();
    const showing = view.onDidChangeVisibility(start);
    return Disposable.from(tree, view, counting, showing, workspace.onDidGrantWorkspaceTrust(start));
}

/** Who looks at the view wants to see the searches of this workspace, and the server has those of last time. */
function startServer({ daemon }: Session, view: TreeView<Row | CallRow>): void {
    const wanted = view.visible && workspace.isTrusted && workspace.workspaceFolders !== undefined;
    if (wanted && daemon.state.kind === "stopped") void daemon.started();
}

/** The row of a call of an agent that is no search; commands find no search in it. */
interface CallRow {
    readonly id: string;
    readonly call: Call;
}

/** What is in the view. Each row is one object as long as it is shown, for VS Code knows rows by their objects. */
class SearchTree implements TreeDataProvider<Row | CallRow>, Disposable {
    private readonly changed = new EventEmitter<Row[] | undefined>();
    private readonly rows = new Map<string, Row>();
    /** What each row that was asked for looked like, and what stood below it. */
    private readonly looks = new Map<string, string>();
    private readonly branches = new Map<string, string>();
    private readonly stale = new Set<Search>();
    private fresh = false;
    private readonly pace = new Pace(() => {
        this.tell();
    }, REST);
    private readonly listening: Disposable;

    readonly onDidChangeTreeData: Event<Row[] | undefined> = this.changed.event;

    constructor(private readonly session: Session) {
        this.listening = Disposable.from(
            session.searches.onDidChange((changes) => {
                this.note(changes);
            }),
            session.calls.onDidChange(() => {
                this.fresh = true;
                this.pace.ask();
            }),
        );
    }

    getTreeItem(row: Row | CallRow): TreeItem {
        if ("call" in row) return callItem(this.session, row.call);
        const item = this.look(row) ?? new TreeItem("");
        this.looks.set(row.id, lookOf(item));
        return item;
    }

    getChildren(row?: Row | CallRow): (Row | CallRow)[] {
        if (row === undefined) {
            const calls = this.session.calls.all().map((call) => ({ id: call.id, call }));
            return [...calls, ...this.session.searches.all().map((search) => this.same(rowOf(search)))];
        }
        if ("call" in row) return [];
        const rows = this.under(row).map((each) => this.same(each));
        this.branches.set(row.id, rows.map((each) => each.id).join("\n"));
        return rows;
    }

    async resolveTreeItem(item: TreeItem, row: Row | CallRow): Promise<TreeItem> {
        if ("call" in row) return item;
        const search = this.session.searches.get(row.searchId);
        return search === undefined ? item : await complete(search, row, item);
    }

    dispose(): void {
        this.pace.dispose();
        this.listening.dispose();
        this.changed.dispose();
    }

    private note(changes: readonly SearchChange[]): void {
        for (const { kind, search } of changes) {
            if (kind === "added" || kind === "removed") this.fresh = true;
            if (kind === "removed") this.forget(search.id);
            else this.stale.add(search);
        }
        this.pace.ask();
    }

    /** Has VS Code ask again for the rows that look otherwise now, and for no others. */
    private tell(): void {
        const stale = [...this.stale];
        this.stale.clear();
        if (this.fresh) {
            this.fresh = false;
            this.changed.fire(undefined);
            return;
        }
        const rows = stale.flatMap((search) => this.otherwise(this.same(rowOf(search))));
        if (rows.length > 0) this.changed.fire(rows);
    }

    /** The topmost rows, from this one down, that look otherwise than when they were asked for. */
    private otherwise(row: Row): Row[] {
        const known = this.looks.get(row.id);
        if (known === undefined) return [];
        const item = this.look(row);
        if (item === undefined || lookOf(item) !== known) return [row];
        const branch = this.branches.get(row.id);
        if (branch === undefined) return [];
        const rows = this.under(row);
        if (rows.map((each) => each.id).join("\n") !== branch) return [row];
        return rows.flatMap((each) => this.otherwise(this.same(each)));
    }

    private look(row: Row): TreeItem | undefined {
        const search = this.session.searches.get(row.searchId);
        const item = search === undefined ? undefined : itemOf(search, row);
        if (item !== undefined) item.id = row.id;
        return item;
    }

    private under(row: Row): Row[] {
        const search = this.session.searches.get(row.searchId);
        return search === undefined ? [] : below(search, row);
    }

    private same(row: Row): Row {
        const known = this.rows.get(row.id);
        if (known !== undefined) return known;
        this.rows.set(row.id, row);
        return row;
    }

    private forget(searchId: string): void {
        for (const id of this.rows.keys()) {
            if (id !== searchId && !id.startsWith(`${searchId}/`)) continue;
            this.rows.delete(id);
            this.looks.delete(id);
            this.branches.delete(id);
        }
    }
}

/** All that can be seen of a row without resting the pointer on it. */
function lookOf({ label, description, contextValue, iconPath, collapsibleState }: TreeItem): string {
    return JSON.stringify([label, description, contextValue, iconPath, collapsibleState]);
}
