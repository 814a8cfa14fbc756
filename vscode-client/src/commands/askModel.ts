// Asks the user what is to write candidates: certo's own generator, a model of the editor's, or one of a provider.

import { l10n, lm, QuickPickItemKind, window } from "vscode";
import type { QuickPickItem } from "vscode";

import { flawOf, keyNameFor, PROVIDERS } from "../daemon/providers";
import type { Provider } from "../daemon/providers";
import { nameOf } from "../daemon/turns";
import type { Session } from "../session";
import { BUILTIN, modelNamed } from "./modelChoice";
import type { Choice } from "./modelChoice";

/** Something to choose, and what else has to be asked then. */
interface Source extends QuickPickItem {
    readonly choose?: () => Promise<Choice | undefined>;
}

/** A server that speaks like OpenAI, and is none that certo knows. */
const OTHER_SERVER: Provider = { id: "openai", label: "", key: "", example: "qwen2.5-coder", needsAddress: true };

/** What the user wants to write candidates; undefined when they want nothing changed. `used` is in use now. */
export async function askModel(session: Session, title: string, used: string): Promise<Choice | undefined> {
    const models = await lm.selectChatModels();
    const own: Source[] = [
        { label: l10n.t("Certo"), kind: QuickPickItemKind.Separator },
        {
            label: l10n.t("$(beaker) Built-in generator"),
            description: l10n.t("no model, no key, no network"),
            choose: () => Promise.resolve(BUILTIN),
        },
    ];
    const ofEditor: Source[] = models.map((model) => ({
        label: `$(sparkle) ${model.name}`,
        description: nameOf(model),
        choose: () => Promise.resolve(modelNamed(`editor:${nameOf(model)}`)),
    }));
    const ofProviders: Source[] = [
        ...PROVIDERS.map((provider) => ({
            label: `$(cloud) ${provider.label}`,
            description: provider.key === "" ? l10n.t("on this machine, no key") : l10n.t("with your key"),
            choose: () => askProvider(session, provider),
        })),
        {
            label: l10n.t("$(server) Another server…"),
            description: l10n.t("that speaks like OpenAI: llama.cpp, vLLM, LM Studio and others"),
            choose: () => askProvider(session, OTHER_SERVER),
        },
    ];
    const items: Source[] = [
        ...own,
        ...(ofEditor.length === 0 ? [] : [separator(l10n.t("Models of VS Code")), ...ofEditor]),
        separator(l10n.t("Providers")),
        ...ofProviders,
    ];
    const chosen = await window.showQuickPick(items, {
        title,
        placeHolder: l10n.t("What should write candidates? Now it is {0}.", used),
        matchOnDescription: true,
    });
    return await chosen?.choose?.();
}

function separator(label: string): Source {
    return { label, kind: QuickPickItemKind.Separator };
}

async function askProvider(session: Session, provider: Provider): Promise<Choice | undefined> {
    const label = provider.label || l10n.t("Another server");
    const azure = provider.id === "azure";
    const baseUrl = provider.needsAddress ? await askAddress(label, azure) : "";
    if (baseUrl === undefined) return undefined;
    const model = await askName(label, provider);
    if (model === undefined) return undefined;
    const apiVersion = azure ? await askVersion(label) : "";
    if (apiVersion === undefined) return undefined;
    const keyName = baseUrl === "" ? provider.key : keyNameFor(baseUrl);
    if (keyName !== "" && !(await askKey(session, label, keyName))) return undefined;
    const keyVariable = baseUrl !== "" && (await session.secrets.has(keyName)) ? keyName : "";
    return { ...modelNamed(`${provider.id}:${model}`), baseUrl, apiVersion, keyVariable };
}

function askName(label: string, provider: Provider): Promise<string | undefined> {
    return ask({
        title: label,
        prompt: provider.id === "azure" ? l10n.t("The name of the deployment") : l10n.t("The name of the model there"),
        placeHolder: l10n.t("For example {0}", provider.example),
        flaw: (name) => (/^\S+$/u.test(name) ? undefined : l10n.t("Give a name without spaces.")),
    });
}

function askAddress(label: string, azure: boolean): Promise<string | undefined> {
    return ask({
        title: label,
        prompt: l10n.t("The address of the server"),
        placeHolder: azure ? "https://NAME.openai.azure.com/openai/v1" : "http://127.0.0.1:8080/v1",
        flaw: (address) => {
            switch (flawOf(address)) {
                case "no address":
                    return l10n.t("Give an address that begins with http:// or https://.");
                case "has a key in it":
                    return l10n.t("Leave the key out of the address; it is asked for next.");
                case undefined:
                    return undefined;
            }
        },
    });
}

function askVersion(label: string): Promise<string | undefined> {
    return ask({
        title: label,
        prompt: l10n.t("The dated version of the API; leave it empty for an address that ends in /openai/v1"),
        placeHolder: "2024-10-21",
        flaw: () => undefined,
    });
}

/** Asks for a key and keeps it; false when the user wants nothing of it all. An empty answer leaves things as they are. */
async function askKey(session: Session, label: string, name: string): Promise<boolean> {
    const kept = await session.secrets.has(name);
    const key = await ask({
        title: label,
        prompt: kept
            ? l10n.t("A key is stored already; leave this empty to keep it.")
            : l10n.t(
                  "The key is stored in VS Code's secret storage, never in settings. Leave this empty if there is none.",
              ),
        placeHolder: l10n.t("Key"),
        password: true,
        flaw: () => undefined,
    });
    if (key === undefined) return false;
    if (key !== "") await session.secrets.keep(name, key);
    return true;
}

/** One line of text, trimmed; undefined when the user wants nothing of it. */
async function ask(question: {
    title: string;
    prompt: string;
    placeHolder: string;
    password?: boolean;
    flaw: (value: string) => string | undefined;
}): Promise<string | undefined> {
    const { flaw, ...options } = question;
    const said = await window.showInputBox({
        ...options,
        ignoreFocusOut: true,
        validateInput: (value) => (value === "" ? undefined : flaw(value.trim())),
    });
    const value = said?.trim();
    // What is no answer is asked again; an error over a line that is still empty would be rude.
    return value === undefined || flaw(value) === undefined ? value : await ask(question);
}
