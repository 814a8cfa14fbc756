// The tabs that show documents of a review: which one is in front, and how they are closed.

import { TabInputText, TabInputTextDiff, window } from "vscode";
import type { Tab, Uri } from "vscode";

import { addressOf } from "./address";
import type { Address } from "./address";

/** The document of a review that a tab shows, its right side where it has two; undefined for any other tab. */
export function reviewed(tab: Tab | undefined): { readonly uri: Uri; readonly address: Address } | undefined {
    const uri = uriIn(tab);
    const address = uri === undefined ? undefined : addressOf(uri);
    return uri === undefined || address === undefined ? undefined : { uri, address };
}

/** The tab in front. */
export function frontTab(): Tab | undefined {
    return window.tabGroups.activeTabGroup.activeTab;
}

/** Every tab that shows a document of a review of some search. */
export function tabsOf(searchId: string): Tab[] {
    return allTabs().filter((tab) => reviewed(tab)?.address.searchId === searchId);
}

/** Every tab that shows this document of a review. */
export function tabsWith(uri: Uri): Tab[] {
    return allTabs().filter((tab) => reviewed(tab)?.uri.toString() === uri.toString());
}

/** Whether a tab shows one candidate to decide about; not two of them, and not a conflict. */
export function isDecision(tab: Tab | undefined): boolean {
    const address = reviewed(tab)?.address;
    if (!(tab?.input instanceof TabInputTextDiff) || address === undefined || address.side === "conflict") return false;
    return addressOf(tab.input.original)?.side !== "made";
}

/** The diffs of candidates that are open, in every group. */
export function diffTabs(): Tab[] {
    return allTabs().filter((tab) => tab.input instanceof TabInputTextDiff && reviewed(tab) !== undefined);
}

function allTabs(): Tab[] {
    return window.tabGroups.all.flatMap((group) => group.tabs);
}

function uriIn(tab: Tab | undefined): Uri | undefined {
    if (tab?.input instanceof TabInputTextDiff) return tab.input.modified;
    return tab?.input instanceof TabInputText ? tab.input.uri : undefined;
}
