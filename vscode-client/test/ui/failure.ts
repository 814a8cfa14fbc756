// What whoever reads that a journey failed wants to know first: at what, how it looked then, and what was logged last.

import type { Workbench } from "./workbench";

/** How many lines of a log are shown; all of them are kept in files. */
const LINES = 25;

/** The logs, by the files that VS Code writes them to. */
const LOGS = {
    "The extension and certo's server": "Certo.log",
    "The extension host": "remoteexthost.log",
};

/** The error of a journey, with what there is to see. */
export function failure(journey: string, error: unknown, kept: string, workbench: Workbench): Error {
    const logs = Object.entries(LOGS).map(([whose, file]) => `${whose}, at last:\n${workbench.tail(file, LINES)}`);
    const first = `${journey}: ${error instanceof Error ? error.message : String(error)}`;
    return new Error([first, kept, ...logs].join("\n\n"), { cause: error });
}
