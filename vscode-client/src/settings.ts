// The settings of the extension itself, and those of the server that the user has set.

import { workspace } from "vscode";
import type { ConfigurationScope } from "vscode";

const SECTION = "certo";

/** The settings that only this extension reads. */
export interface OwnSettings {
    /** The `certo` program to run; empty when the extension is to find one. */
    readonly command: string;
    /** The Python to make an environment with; empty when the extension is to find one. */
    readonly python: string;
}

/** Reads the extension's own settings. */
export function ownSettings(): OwnSettings {
    const section = workspace.getConfiguration(SECTION);
    return { command: section.get("server.command", "").trim(), python: section.get("server.python", "").trim() };
}

/** A tree of settings, as the server reads it. */
export type SettingsTree = Record<string, unknown>;

/**
 * The server's settings that somebody has set, for a folder or a document, and no others.
 *
 * VS Code would send defaults as well, which would then count more than what stands in the project's `pyproject.toml`.
 */
export function serverSettings(scope: ConfigurationScope | undefined, names: readonly string[]): SettingsTree {
    const section = workspace.getConfiguration(SECTION, scope);
    const tree: SettingsTree = {};
    for (const name of names) {
        const found = section.inspect(name);
        const value = inForce([found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue]);
        if (value !== undefined) put(tree, name.split("."), value);
    }
    return tree;
}

/** What counts of values of which each comes before the next: the last, or of groups by name what all of them name. */
function inForce(values: readonly unknown[]): unknown {
    return values.reduce((below, above) => {
        if (above === undefined) return below;
        return isTree(below) && isTree(above) ? { ...below, ...above } : above;
    });
}

function put(tree: SettingsTree, path: readonly string[], value: unknown): void {
    const [first = "", ...rest] = path;
    if (rest.length === 0) {
        tree[first] = value;
        return;
    }
    const below = tree[first];
    const branch: SettingsTree = isTree(below) ? below : {};
    tree[first] = branch;
    put(branch, rest, value);
}

function isTree(value: unknown): value is SettingsTree {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
