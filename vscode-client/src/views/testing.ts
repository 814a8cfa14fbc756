// The Testing view: the tests that judge candidates, and for each candidate a run with what became of them.

import { Disposable, l10n, TestMessage, TestRunProfileKind, TestRunRequest, tests, Uri } from "vscode";
import type { CancellationToken, TestController, TestItem, TestRun } from "vscode";

import { visible } from "../inert";
import { said } from "../log";
import type { KnownTest } from "../protocol";
import { testFile } from "../review/testFiles";
import { testPlace } from "../review/testPlaces";
import { bestOf } from "../searches/state";
import type { Candidate, Search } from "../searches/state";
import { RULINGS } from "../searches/words";
import type { Session } from "../session";
import { resultsOf } from "./testResults";

/** Shows the tests of searches in the Testing view while there are searches; before and after, nothing is there. */
export function registerTesting(session: Session): Disposable {
    const testing = new Testing(session);
    const listening = session.searches.onDidChange((changes) => {
        for (const { kind, search } of changes) {
            if (kind === "removed") testing.forget(search);
            else testing.tell(search);
        }
    });
    return Disposable.from(listening, testing);
}

/** The controller, which is made with the first search that has tests, and goes with the last one. */
class Testing {
    private controller: TestController | undefined;
    /** The candidates of each search whose runs have been told of, in that order. */
    private readonly told = new Map<string, string[]>();

    constructor(private readonly session: Session) {}

    /** Takes note of how a search stands: its tests, and its candidates that have been judged since. */
    tell(search: Search): void {
        const known = search.baseline?.tests ?? [];
        if (known.length === 0) return;
        const controller = this.ready();
        const item = controller.items.get(search.id) ?? this.add(controller, search, known);
        const told = this.told.get(search.id) ?? [];
        this.told.set(search.id, told);
        for (const candidate of search.candidates.values()) {
            if (candidate.passed === null || told.includes(candidate.id)) continue;
            told.push(candidate.id);
            const name = l10n.t("{0}: candidate #{1}", search.qualname, candidate.number);
            report(controller, item, name, known, candidate);
        }
        const best = bestOf(search);
        if (search.state === "running" || best === undefined || told.at(-1) === best.id) return;
        // The view shows the last run, and what is left of a search is its best candidate.
        told.push(best.id);
        report(controller, item, l10n.t("{0}: candidate #{1}, the best", search.qualname, best.number), known, best);
    }

    /** Takes a search and its tests away. */
    forget(search: Search): void {
        this.told.delete(search.id);
        this.controller?.items.delete(search.id);
        if (this.controller?.items.size === 0) this.dispose();
    }

    dispose(): void {
        this.controller?.dispose();
        this.controller = undefined;
    }

    private ready(): TestController {
        if (this.controller !== undefined) return this.controller;
        const controller = tests.createTestController("certo", "Certo");
        controller.createRunProfile(l10n.t("Verify Function"), TestRunProfileKind.Run, (request, token) =>
            this.verify(controller, request, token),
        );
        this.controller = controller;
        return controller;
    }

    private add(controller: TestController, search: Search, known: readonly KnownTest[]): TestItem {
        const item = controller.createTestItem(search.id, search.qualname, Uri.parse(search.uri));
        item.description = l10n.t("Certo's candidates");
        item.children.replace(known.map((test) => testItem(controller, search, test)));
        controller.items.add(item);
        return item;
    }

    /** Runs the tests on the functions as they stand in the editor now. */
    private async verify(controller: TestController, request: TestRunRequest, token: CancellationToken): Promise<void> {
        const run = controller.createTestRun(request, l10n.t("Current Code"), false);
        try {
            for (const [item, wanted] of wantedOf(controller, request)) {
                if (token.isCancellationRequested) break;
                const search = this.session.searches.get(item.id);
                if (search === undefined) continue;
                item.description = l10n.t("current code");
                await this.verifyOne(search, wanted, run, token);
            }
        } finally {
            run.end();
        }
    }

    private async verifyOne(search: Search, wanted: TestItem[], run: TestRun, token: CancellationToken): Promise<void> {
        for (const each of wanted) run.started(each);
        try {
            const { uri, qualname } = search;
            const { baseline } = await this.session.daemon.ask("certo/verify", { uri, qualname }, token);
            const found = new Map([...baseline.tests, ...baseline.setAside].map((test) => [test.id, test]));
            for (const each of wanted) stands(run, each, found.get(each.id));
        } catch (error) {
            for (const each of wanted) run.errored(each, new TestMessage(visible(said(error))));
        }
    }
}

/** The searches that are to be run, each with its tests that are. */
function wantedOf(controller: TestController, request: TestRunRequest): Map<TestItem, TestItem[]> {
    const excluded = new Set(request.exclude);
    const wanted = new Map<TestItem, TestItem[]>();
    const include = (search: TestItem, all: readonly TestItem[]): void => {
        const before = wanted.get(search) ?? [];
        wanted.set(search, [...before, ...all.filter((each) => !excluded.has(each) && !before.includes(each))]);
    };
    for (const item of request.include ?? childrenOf(controller.items)) {
        if (excluded.has(item)) continue;
        if (item.parent === undefined) include(item, childrenOf(item.children));
        else include(item.parent, [item]);
    }
    return wanted;
}

function childrenOf(items: Iterable<[string, TestItem]>): TestItem[] {
    return [...items].map(([, item]) => item);
}

/** Says how a test stands on the text as it is. */
function stands(run: TestRun, item: TestItem, test: KnownTest | undefined): void {
    if (test?.ruling === "passed") run.passed(item, test.seconds * 1000);
    else if (test?.ruling === "failed") run.failed(item, new TestMessage(visible(test.message)), test.seconds * 1000);
    else run.skipped(item);
}

/** Tells of what became of the tests on a candidate, as a run that has ended. */
function report(
    controller: TestController,
    parent: TestItem,
    name: string,
    known: readonly KnownTest[],
    candidate: Candidate,
): void {
    const found = resultsOf(known, candidate.verdicts).flatMap((result) => {
        const item = parent.children.get(result.id);
        return item === undefined ? [] : [{ item, result }];
    });
    // Of a candidate that did not get as far as its tests there is nothing to tell here.
    if (found.length === 0) return;
    const request = new TestRunRequest(
        found.map(({ item }) => item),
        undefined,
        undefined,
        false,
        true,
    );
    // What the editor shows beside the user's code is about this candidate, and not about that.
    parent.description = l10n.t("candidate #{0}", candidate.number);
    const run = controller.createTestRun(request, name, false);
    for (const { verifier, ruling, findings, seconds } of candidate.verdicts) {
        run.appendOutput(`${RULINGS[ruling]} ${verifier} (${seconds.toFixed(2)} s)\r\n`);
        for (const { message } of findings) run.appendOutput(`    ${message.replace(/\r?\n/gu, "\r\n    ")}\r\n`);
    }
    for (const { item, result } of found) {
        if (result.outcome === "passed") run.passed(item);
        else if (result.outcome === "skipped") run.skipped(item);
        else
            run.failed(
                item,
                result.reasons.map((reason) => messageOf(candidate, reason)),
            );
    }
    run.end();
}

/** The editor shows this beside the user's own code, of which it is not said. */
function messageOf({ number }: Candidate, { text, line }: { text: string; line: number | null }): TestMessage {
    return new TestMessage(
        line === null
            ? l10n.t("Candidate #{0}: {1}", number, visible(text))
            : l10n.t("Candidate #{0}, line {1}: {2}", number, line, visible(text)),
    );
}

/**
 * A test without a place in its file: what a candidate does to it must not stand as a sign beside the user's own text,
 * which may do otherwise.
 */
function testItem(controller: TestController, search: Search, test: KnownTest): TestItem {
    const where = testPlace(test.id);
    const names = test.id.split("::").slice(1).join(" › ");
    if (where === undefined) return controller.createTestItem(test.id, test.id);
    if (where.path === null) {
        const label = l10n.t("Example in the docstring, line {0}", where.line ?? search.line);
        return controller.createTestItem(test.id, label, Uri.parse(search.uri));
    }
    const item = controller.createTestItem(test.id, names, testFile(search, where));
    item.description = where.path;
    return item;
}
