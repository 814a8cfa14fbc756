// A script for the scripted generator: what it proposes, in order, and the settings that have it read.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Settings } from "./workbench";

/** One reply: the function's new source. */
export interface Reply {
    readonly source: string;
    readonly note?: string;
}

/** The settings of searches that get these replies, and try so long as there are any. */
export function scripted(...replies: readonly Reply[]): Settings {
    const path = join(mkdtempSync(join(tmpdir(), "certo-script-")), "script.json");
    writeFileSync(path, JSON.stringify(replies));
    return {
        "certo.search.generator": "scripted",
        "certo.scripted.path": path,
        "certo.search.compact": false,
        "certo.search.strategy": "retry",
        "certo.retry.select": "cheapest",
        "certo.retry.firstTry": false,
        "certo.retry.numCandidates": replies.length,
        "certo.retry.maxIterations": 1,
    };
}
