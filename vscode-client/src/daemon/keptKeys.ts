// What the server says of the model of the settings, with the key that VS Code keeps for it: the server looks for none there.

import { l10n, workspace } from "vscode";

import type { Fact } from "../protocol";
import { keyNameOf } from "./providers";
import type { Secrets } from "./secrets";

/** The facts as they are for who searches from here: a model is not without a key when VS Code has that. */
export async function withKeptKeys(facts: readonly Fact[], secrets: Secrets): Promise<readonly Fact[]> {
    const settings = workspace.getConfiguration("certo.model");
    const model = settings.get<string>("name", "");
    const key = keyNameOf(
        model,
        settings.get<string | null>("baseUrl") ?? "",
        settings.get<string | null>("keyVariable") ?? "",
    );
    if (model === "" || key === "" || !(await secrets.has(key))) return facts;
    // A remedy for a model that is named and known is a place for its key.
    const lacks = (fact: Fact): boolean => fact.says.startsWith(`${model}:`) && fact.remedy !== "";
    return facts.map((fact) => (lacks(fact) ? kept(fact, model) : fact));
}

function kept(fact: Fact, model: string): Fact {
    const details = [...fact.details, l10n.t("its key is stored in VS Code's secret storage")];
    return { ...fact, health: "good", says: model, details, remedy: "" };
}
