// The tools that language models call in agent mode; each call shows in the Certo view.

import { LanguageModelTextPart, LanguageModelToolResult, l10n, lm } from "vscode";
import type { CancellationToken, Disposable } from "vscode";

import { visible } from "../inert";
import { said } from "../log";
import type { StartParams } from "../protocol";
import { TOOLS } from "../searches/calls";
import type { Outcome, ToolName } from "../searches/calls";
import { bestOf } from "../searches/state";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { diffAnswer, searchAnswer, strengthAnswer, testsAnswer, verifyAnswer } from "./toolAnswers";
import { BadInput, readInput } from "./toolInput";
import type { ToolInput } from "./toolInput";
import { placeOf } from "./toolPlace";
import type { FilePlace } from "./toolPlace";

/** A question to the server, and what its answer comes to. */
type Ask = (session: Session, place: FilePlace, input: ToolInput, token: CancellationToken) => Promise<Outcome>;

const ASKS: Readonly<Partial<Record<ToolName, Ask>>> = {
    certo_verify: async ({ daemon }, place, _, token) =>
        verifyAnswer(await daemon.ask("certo/verify", place, token), l10n),
    certo_strength: async ({ daemon }, place, _, token) =>
        strengthAnswer(await daemon.ask("certo/strength", place, token), l10n),
    certo_tests: async ({ daemon }, place, _, token) =>
        testsAnswer(await daemon.ask("certo/tests", place, token), l10n),
    certo_diff: async ({ daemon }, place, { against }, token) =>
        diffAnswer(await daemon.ask("certo/diff", { ...place, against }, token), l10n),
};

/** Registers every tool of `package.json`. */
export function registerTools(session: Session): Disposable[] {
    return TOOLS.map((name) =>
        lm.registerTool(name, {
            prepareInvocation: ({ input }) => ({ invocationMessage: beginning(name, input) }),
            invoke: async ({ input }, token) =>
                new LanguageModelToolResult([new LanguageModelTextPart(await invoke(session, name, input, token))]),
        }),
    );
}

function beginning(name: ToolName, input: unknown): string {
    try {
        const target = visible(readInput(input).target);
        const isSearch = ASKS[name] === undefined;
        return isSearch ? l10n.t("Certo searches for {0}", target) : l10n.t("Certo looks at {0}", target);
    } catch (error) {
        if (error instanceof BadInput) return l10n.t("Certo looks at a function");
        throw error;
    }
}

/** Runs a tool; what goes wrong is told to the language model, which may try again. */
async function invoke(session: Session, name: ToolName, given: unknown, token: CancellationToken): Promise<string> {
    const input = readInput(given);
    const place = await placeOf(input.target);
    await session.daemon.started();
    const ask = ASKS[name];
    return ask === undefined
        ? await search(session, name, { place, input }, token)
        : await answer(session, name, input.target, token, () => ask(session, place, input, token));
}

/** Asks, with a row of its own in the view from the first moment to the last. */
async function answer(
    { calls }: Session,
    name: ToolName,
    target: string,
    token: CancellationToken,
    ask: () => Promise<Outcome>,
): Promise<string> {
    const call = calls.begin(name, target);
    try {
        const outcome = await ask();
        calls.end(call, outcome);
        return outcome.report;
    } catch (error) {
        const state = token.isCancellationRequested ? "cancelled" : "refused";
        calls.end(call, { state, said: said(error), report: "" });
        throw error;
    }
}

/** Searches, and waits for the end; the search shows in the view like any other. */
async function search(
    session: Session,
    name: ToolName,
    { place, input }: { readonly place: FilePlace; readonly input: ToolInput },
    token: CancellationToken,
): Promise<string> {
    const written = name === "certo_generate";
    const wish: Omit<StartParams, "key"> = {
        ...place,
        instruction: input.instruction,
        ...(written && input.faster ? { goal: "faster" } : {}),
        ...(written && input.preserve ? { preserve: true } : {}),
    };
    const { search: begun } = await session.searches.start(wish, token);
    return searchAnswer(await ended(session, begun, token), l10n);
}

/** Waits for the end of a search, and of those that follow it in further suspects of a failing test. */
async function ended({ searches, log }: Session, begun: Search, token: CancellationToken): Promise<Search> {
    return await new Promise((resolve) => {
        let current = begun;
        const finish = (): void => {
            listening.dispose();
            cancelling.dispose();
            resolve(current);
        };
        const look = (): void => {
            const after = bestOf(current) === undefined ? current.end?.followedBy : undefined;
            const next = after ? searches.get(after) : undefined;
            current = next ?? current;
            const isGone = searches.get(current.id) !== current;
            const isToGoOn = current.state === "running" || (after && next === undefined);
            if (isGone || !isToGoOn) finish();
        };
        const listening = searches.onDidChange(look);
        const cancelling = token.onCancellationRequested(() => {
            searches
                .stop(current)
                .catch((error: unknown) => {
                    log.debug(said(error));
                })
                .finally(finish);
        });
        look();
    });
}
