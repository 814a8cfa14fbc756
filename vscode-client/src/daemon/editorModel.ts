// The editor's own language models, lent to the server: it asks, and is told the answer piece by piece.

import { l10n, LanguageModelChatMessage, LanguageModelError, lm } from "vscode";
import type { CancellationToken, LanguageModelAccessInformation, LanguageModelChat, LogOutputChannel } from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import type { LanguageClient } from "vscode-languageclient/node";

import { said } from "../log";
import type { ModelAnswer, ModelDelta, ModelQuestion, ModelRefusal, ModelUsage } from "../protocol";
import { modelCalled, nameOf, optionsOf, turnsOf } from "./turns";

type Heard = (text: string) => Promise<void>;

/** Asks the editor's models what the server wants to know. Nothing is asked without the user's consent. */
export class EditorModel {
    /** The models that the user is being asked about, each with whether they allow it in the end. */
    private readonly consents = new Map<string, Promise<boolean>>();

    constructor(
        private readonly access: LanguageModelAccessInformation,
        private readonly log: LogOutputChannel,
    ) {}

    /** Has a client that is not started yet answer the server's questions. */
    serve(client: LanguageClient): void {
        client.onRequest("certo/model/ask", (question: ModelQuestion, token: CancellationToken) => {
            const heard = (text: string): Promise<void> =>
                client.sendNotification("certo/model/delta", { token: question.token, text } satisfies ModelDelta);
            return this.answer(question, heard, token);
        });
    }

    /**
     * Answers a question.
     *
     * @throws ResponseError with a sentence for the user, and with what asking again is worth.
     */
    async answer(question: ModelQuestion, heard: Heard, token: CancellationToken): Promise<ModelAnswer> {
        const model = modelCalled(question.model, await lm.selectChatModels());
        if (model === undefined) throw refused(absence(question.model), false);
        try {
            const { text, asked } = await this.stream(model, question, heard, token);
            if (token.isCancellationRequested) throw cancelled();
            return { finish: "complete", model: nameOf(model), usage: await this.usage(model, asked, text, token) };
        } catch (error) {
            if (error instanceof ResponseError) throw error;
            if (token.isCancellationRequested) throw cancelled();
            this.log.warn(`${nameOf(model)}: ${said(error)}`);
            throw refusalOf(error, model);
        }
    }

    private async stream(
        model: LanguageModelChat,
        question: ModelQuestion,
        heard: Heard,
        token: CancellationToken,
    ): Promise<{ text: string; asked: LanguageModelChatMessage[] }> {
        const asked = turnsOf(question).map((turn) =>
            turn.role === "user"
                ? LanguageModelChatMessage.User(turn.text)
                : LanguageModelChatMessage.Assistant(turn.text),
        );
        const response = await this.consented(model, () =>
            model.sendRequest(
                asked,
                {
                    justification: l10n.t(
                        "It writes candidates for functions, which Certo then verifies. It receives the function and the parts of the project that belong to it.",
                    ),
                    modelOptions: optionsOf(question.sampling),
                },
                token,
            ),
        );
        let text = "";
        for await (const piece of response.text) {
            text += piece;
            // One after the other, for a piece that came late would stand in the wrong place.
            await heard(piece);
        }
        return { text, asked };
    }

    /** Sends a question; while the user is being asked for consent no other question to that model asks them again. */
    private async consented<T>(model: LanguageModelChat, send: () => Thenable<T>): Promise<T> {
        if (this.access.canSendRequest(model) === true) return await send();
        const name = nameOf(model);
        const allowed = this.consents.get(name);
        if (allowed !== undefined) {
            if (!(await allowed)) throw LanguageModelError.NoPermissions();
            return await send();
        }
        const first = Promise.resolve(send());
        this.consents.set(
            name,
            first.then(
                () => true,
                (error: unknown) => !isDenial(error),
            ),
        );
        return await first.finally(() => this.consents.delete(name));
    }

    private async usage(
        model: LanguageModelChat,
        asked: readonly LanguageModelChatMessage[],
        text: string,
        token: CancellationToken,
    ): Promise<ModelUsage | null> {
        try {
            const [outputTokens = 0, ...read] = await Promise.all(
                [text, ...asked].map((each) => model.countTokens(each, token)),
            );
            return { inputTokens: read.reduce((all, one) => all + one, 0), outputTokens };
        } catch (error) {
            this.log.debug(`${nameOf(model)} counts no tokens: ${said(error)}`);
            return null;
        }
    }
}

function absence(name: string): string {
    return name === ""
        ? l10n.t("this editor has no language model; choose another one with “Certo: Choose Model…”")
        : l10n.t("this editor has no language model {0}; choose another one with “Certo: Choose Model…”", name);
}

function isDenial(error: unknown): boolean {
    return error instanceof LanguageModelError && error.code === "NoPermissions";
}

function refusalOf(error: unknown, model: LanguageModelChat): ResponseError<ModelRefusal> {
    if (!(error instanceof LanguageModelError)) return refused(said(error), true);
    switch (error.code) {
        case "NoPermissions":
            return refused(
                l10n.t("you have not allowed Certo to use {0}; start again to be asked again", model.name),
                false,
            );
        case "Blocked":
            return refused(l10n.t("{0} cannot be used now: {1}", model.name, error.message), false);
        case "NotFound":
            return refused(l10n.t("{0} no longer exists", model.name), false);
        default:
            return refused(said(error.cause ?? error), true);
    }
}

function refused(sentence: string, transient: boolean): ResponseError<ModelRefusal> {
    return new ResponseError<ModelRefusal>(LSPErrorCodes.RequestFailed, sentence, { transient });
}

function cancelled(): ResponseError {
    return new ResponseError(LSPErrorCodes.RequestCancelled, l10n.t("cancelled"));
}
