// Which test a verifier's finding is about. Pure: no editor in here.

import type { KnownTest } from "../protocol";

/** A test that a finding is about, and what it says of it. */
export interface OfTest {
    readonly id: string;
    /** Its name without file and class: "test_total[3]"; all of it where it has none. */
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
    const colons = bare.lastIndexOf("::");
    return { id, name: colons === -1 ? id : id.slice(colons + 2), said };
}
