// How the server of tools for agents is run, and what is said when it cannot be. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Choice } from "../daemon/resolve";

type L10n = Pick<typeof l10n, "t">;

/** Exit code of `certo mcp` when its extra is not installed. */
export const EXTRA_MISSING = 3;

/** The arguments with which the program of the language server serves agents in these folders. */
export function mcpArguments(choice: Choice, roots: readonly string[]): string[] {
    return [...choice.args.slice(0, -1), "mcp", ...roots.flatMap((root) => ["--root", root])];
}

/** What to install where the extra is missing, in a sentence. */
export function missingExtra(choice: Choice, l10n: L10n): string {
    const pip = choice.reason === "own" ? `"${choice.command}" -m pip` : "pip";
    return l10n.t(
        'The Certo MCP server needs an extra in the environment of {0}. Install it there with: {1} install "certo[mcp]"',
        choice.command,
        pip,
    );
}
