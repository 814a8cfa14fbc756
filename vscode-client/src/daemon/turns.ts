// A question of certo's in the words of the editor's language models. Pure: no editor in here.

import type { ModelQuestion } from "../protocol";

/** One turn of a conversation with a model of the editor's, which knows no system messages. */
export interface Turn {
    readonly role: "user" | "assistant";
    readonly text: string;
}

/** The conversation of a question. What the system says is the beginning of what the user says. */
export function turnsOf(question: Pick<ModelQuestion, "messages" | "schema">): Turn[] {
    const turns: Turn[] = [];
    let before = "";
    for (const { role, text } of question.messages) {
        if (role === "system") {
            before += `${text}\n\n`;
        } else if (role === "user") {
            turns.push({ role, text: before + text });
            before = "";
        } else {
            turns.push({ role, text });
        }
    }
    if (before !== "") turns.push({ role: "user", text: before.trimEnd() });
    const last = turns.at(-1);
    if (question.schema === null || last === undefined) return turns;
    return [...turns.slice(0, -1), { ...last, text: `${last.text}\n\n${wanting(question.schema)}` }];
}

/** Asks for an answer of a certain form; the editor's models take no schema of their own. */
function wanting(schema: Readonly<Record<string, unknown>>): string {
    return `Answer with one JSON value and nothing else. It has to follow this JSON schema:\n${JSON.stringify(schema)}`;
}

/** How a model is to choose its words, by the names that most providers have for it. What is not set is left out. */
export function optionsOf(sampling: ModelQuestion["sampling"]): Record<string, unknown> {
    const { temperature, topP, seed, maxTokens, stop } = sampling;
    return {
        max_tokens: maxTokens,
        ...(temperature === null ? {} : { temperature }),
        ...(topP === null ? {} : { top_p: topP }),
        ...(seed === null ? {} : { seed }),
        ...(stop.length === 0 ? {} : { stop }),
    };
}

/** What a model of the editor's is told from others by. */
export interface Named {
    readonly vendor: string;
    readonly id: string;
    readonly family: string;
}

/** A model's name, as it stands behind `editor:` in the settings. */
export function nameOf(model: Pick<Named, "vendor" | "id">): string {
    return `${model.vendor}/${model.id}`;
}

/** The model of that name, which may also be its id or its family alone; the first one when none is named. */
export function modelCalled<M extends Named>(name: string, models: readonly M[]): M | undefined {
    if (name === "") return models[0];
    return (
        models.find((each) => nameOf(each) === name) ??
        models.find((each) => each.id === name) ??
        models.find((each) => each.family === name)
    );
}
