// What commands and views are given: the extension's world, from its activation to its end.

import type { ExtensionContext, LogOutputChannel, Uri } from "vscode";

import type { Chooser } from "./daemon/chooser";
import type { Daemon } from "./daemon/daemon";
import type { Secrets } from "./daemon/secrets";
import type { Editing } from "./review/editing";
import type { Review } from "./review/review";
import type { Threads } from "./review/threads";
import type { AgentCalls } from "./searches/agentCalls";
import type { Places } from "./searches/places";
import type { Searches } from "./searches/searches";
import type { Search } from "./searches/state";
import type { Underway } from "./searches/underway";

/** A view that a command opens for a search. */
export interface Shows {
    readonly show: (search: Search) => void;
}

/** Where reports in Markdown are shown, each by its name. */
export interface ShowsReports {
    readonly keep: (name: string, text: string) => Uri;
    readonly show: (name: string, text: string) => Promise<void>;
}

/** What the activation of the extension took of the window's time. */
export interface Activation {
    readonly milliseconds: number;
}

/** One window's world. */
export interface Session {
    readonly context: ExtensionContext;
    readonly activation: Activation;
    readonly log: LogOutputChannel;
    /** Says which program the server is, and why. */
    readonly chooser: Chooser;
    readonly daemon: Daemon;
    readonly searches: Searches;
    readonly places: Places;
    readonly review: Review;
    readonly editing: Editing;
    readonly threads: Threads;
    readonly secrets: Secrets;
    readonly history: Shows;
    readonly reports: ShowsReports;
    /** What agents have called that is no search. */
    readonly calls: AgentCalls;
    /** What commands do that a second click is not to begin again. */
    readonly underway: Underway;
    /** The candidates whose ghost text was put in and refused: it is not offered again. */
    readonly refusedPreviews: Set<string>;
}
