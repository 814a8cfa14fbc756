// Which test a verifier's finding is about, and where that test stands in its file. Pure: no editor in here.

import type { KnownTest } from "../protocol";

/** A test that a finding is about, and what it says of it. */
export interface OfTest {
    readonly id: string;
    /** Its file, relative to the root of the project. */
    readonly path: string;
    /** Its name without file and class: "test_total[3]". */
    readonly name: string;
    readonly said: string;
}

/** The test that a finding begins with; undefined where it is about something else. */
export function testOf(message: string, known: readonly KnownTest[]): OfTest | undefined {
    let id = "";
    for (const test of known) {
        if (test.id.length > id.length && message.startsWith(`${test.id}:`)) id = test.id;
    }
    if (id === "") id = /^(\S+\.py::\S+?):\s/u.exec(message)?.[1] ?? "";
    return id === "" ? undefined : named(id, message.slice(id.length + 1).trim());
}

/** A test by its id, and what is said of it. */
export function named(id: string, said: string): OfTest {
    const bare = id.replace(/\[.*$/su, "");
    const [path = ""] = bare.split("::");
    const name = id.slice(bare.lastIndexOf("::") + 2);
    return { id, path, name, said };
}

/** The line, from 0, on which a test is defined in the text of its file; 0 where it is not found. */
export function lineOfTest(text: string, id: string): number {
    const [, ...names] = id.replace(/\[.*$/su, "").split("::");
    const lines = text.split("\n");
    let line = 0;
    for (const [index, name] of names.entries()) {
        const kind = index < names.length - 1 ? "class" : "(?:async\\s+)?def";
        // A doctest is called by the dotted name of its function.
        const bare = name.split(".").at(-1) ?? name;
        const begins = new RegExp(`^\\s*${kind}\\s+${bare.replace(/\W/gu, "")}\\b`, "u");
        const found = lines.findIndex((each, at) => at >= line && begins.test(each));
        if (found < 0) return line;
        line = found;
    }
    return line;
}
