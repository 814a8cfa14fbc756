// The score histories: for each search that is to be seen in pictures a panel, which is there again after a reload.

import { randomBytes } from "node:crypto";

import { commands, env, l10n, Uri, ViewColumn, window, workspace } from "vscode";
import type { Disposable, ExtensionContext, LogOutputChannel, WebviewOptions, WebviewPanel } from "vscode";

import { visible, visibleIn } from "../inert";
import { said } from "../log";
import type { SearchChange, Searches } from "../searches/searches";
import type { Search } from "../searches/state";
import { fromPage, keptFrom } from "../webview/messages";
import type { FromPage, ToPage } from "../webview/messages";
import { drawnOf, pictureOf } from "./picture";

const VIEW = "certo.history";
/** How long changes are gathered before a panel is drawn anew, in milliseconds; longer for more than that many. */
const PACE = 200;

/** What each button of the page does. */
const COMMANDS: Readonly<Record<Exclude<FromPage["type"], "ready">, string>> = {
    diff: "certo.candidate.diff",
    accept: "certo.candidate.accept",
    retry: "certo.candidate.retry",
};

/** What a panel is about: its search, and the document of that. */
type About = Pick<Search, "id" | "uri">;

/** All open panels. */
export class Histories implements Disposable {
    private readonly panels = new Map<string, History>();
    private readonly listening: Disposable[];

    constructor(
        private readonly context: ExtensionContext,
        searches: Searches,
        private readonly log: LogOutputChannel,
    ) {
        this.listening = [
            searches.onDidChange((changes) => {
                this.follow(changes);
            }),
            window.registerWebviewPanelSerializer(VIEW, {
                deserializeWebviewPanel: async (panel: WebviewPanel, state: unknown) => {
                    const { searchId, uri } = keptFrom(state);
                    panel.webview.options = this.options();
                    this.open({ id: searchId, uri }, panel, searches.get(searchId));
                    await this.findAgain(uri);
                },
            }),
        ];
    }

    /** Shows a search's panel, making it if there is none. */
    show(search: Search): void {
        const known = this.panels.get(search.id);
        if (known !== undefined) {
            known.panel.reveal();
            return;
        }
        const title = l10n.t("History of {0}", search.qualname);
        const place = { viewColumn: ViewColumn.Active };
        this.open(search, window.createWebviewPanel(VIEW, title, place, this.options()), search);
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
        for (const each of this.panels.values()) each.dispose();
    }

    /** Opens the document of a search, out of sight: the server knows of a search again when it has seen its project. */
    private async findAgain(uri: string): Promise<void> {
        try {
            await workspace.openTextDocument(Uri.parse(uri, true));
        } catch (error) {
            this.log.debug(said(error));
        }
    }

    private open(about: About, panel: WebviewPanel, search: Search | undefined): void {
        const { id: searchId } = about;
        const media = Uri.joinPath(this.context.extensionUri, "media");
        // The picture of a tab takes no colour of the theme, and black is none to be seen in the dark.
        panel.iconPath = { light: Uri.joinPath(media, "certo.svg"), dark: Uri.joinPath(media, "certo-dark.svg") };
        const history = new History(searchId, panel, search, this.log);
        this.panels.set(searchId, history);
        panel.onDidDispose(() => {
            this.panels.delete(searchId);
            history.dispose();
        });
        panel.webview.html = page(panel, this.dist(), about);
    }

    private follow(changes: readonly SearchChange[]): void {
        for (const { kind, search } of changes) {
            this.panels.get(search.id)?.become(kind === "removed" ? undefined : search);
        }
    }

    private dist(): Uri {
        return Uri.joinPath(this.context.extensionUri, "dist", "webview");
    }

    private options(): WebviewOptions {
        return { enableScripts: true, localResourceRoots: [this.dist()] };
    }
}

/** One search's panel. */
class History implements Disposable {
    /** What the page has been told of each candidate, so that only what is new is told. */
    private readonly told = new Map<string, string>();
    private readonly listening: Disposable[];
    private timer: NodeJS.Timeout | undefined;
    private live: boolean;

    constructor(
        private readonly searchId: string,
        readonly panel: WebviewPanel,
        private search: Search | undefined,
        private readonly log: LogOutputChannel,
    ) {
        this.live = search !== undefined;
        this.listening = [
            panel.webview.onDidReceiveMessage((message: unknown) => {
                this.hear(fromPage(message));
            }),
        ];
    }

    /** Takes note of how the search stands now; of one that is gone the last picture stays. */
    become(search: Search | undefined): void {
        this.live = search !== undefined;
        if (search !== undefined && search !== this.search) {
            this.search = search;
            this.told.clear();
        }
        this.timer ??= setTimeout(
            () => {
                this.timer = undefined;
                this.tell();
            },
            Math.max(PACE, this.told.size),
        );
    }

    dispose(): void {
        clearTimeout(this.timer);
        for (const each of this.listening) each.dispose();
        this.panel.dispose();
    }

    private hear(message: FromPage | undefined): void {
        if (message === undefined) return;
        if (message.type === "ready") {
            this.told.clear();
            this.tell();
        } else {
            const about = { searchId: this.searchId, candidateId: message.candidateId };
            commands.executeCommand(COMMANDS[message.type], about).then(undefined, (error: unknown) => {
                this.log.error(said(error));
            });
        }
    }

    private tell(): void {
        const { search } = this;
        // A page that is hidden is no more; it asks for everything when it is there again.
        if (search === undefined || !this.panel.visible) return;
        this.panel.title = l10n.t("History of {0}", visible(search.qualname));
        const whole = this.told.size === 0;
        const changed = [...search.candidates.values()]
            .map((each) => drawnOf(search, each, l10n))
            .filter((each) => this.isNew(each.id, JSON.stringify(each)));
        const message: ToPage = { picture: pictureOf(search, l10n, env.language, this.live), changed, whole };
        this.panel.webview.postMessage(visibleIn(message)).then(undefined, (error: unknown) => {
            this.log.debug(`${search.id}: ${said(error)}`);
        });
    }

    private isNew(id: string, drawn: string): boolean {
        if (this.told.get(id) === drawn) return false;
        this.told.set(id, drawn);
        return true;
    }
}

/** The page itself; all it shows is told to it later. */
function page({ webview }: WebviewPanel, dist: Uri, { id, uri }: About): string {
    const nonce = randomBytes(16).toString("hex");
    const source = (name: string): string => webview.asWebviewUri(Uri.joinPath(dist, name)).toString();
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="${env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${l10n.t("Score history")}</title>
<link rel="stylesheet" href="${source("history.css")}">
</head>
<body data-search="${id.replace(/[^\w-]/gu, "")}" data-uri="${encodeURIComponent(uri)}">
<script nonce="${nonce}" src="${source("history.js")}"></script>
</body>
</html>`;
}
