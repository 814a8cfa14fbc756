// Who serves language models, by the names that the server knows them by. Pure: no editor in here.

/** One provider of language models. */
export interface Provider {
    /** Its name in the setting `model.name`. */
    readonly id: string;
    /** Its name for people. */
    readonly label: string;
    /** What its key would be called as an environment variable; empty for one that takes none. */
    readonly key: string;
    /** The name of one of its models, for those who wonder what to type. */
    readonly example: string;
    /** Whether it has no address of its own, so that one has to be given. */
    readonly needsAddress: boolean;
}

/** The providers that the server knows by name. */
export const PROVIDERS: readonly Provider[] = [
    { id: "openai", label: "OpenAI", key: "OPENAI_API_KEY", example: "gpt-5-mini", needsAddress: false },
    {
        id: "anthropic",
        label: "Anthropic",
        key: "ANTHROPIC_API_KEY",
        example: "claude-sonnet-4-5",
        needsAddress: false,
    },
    { id: "ollama", label: "Ollama", key: "", example: "qwen3", needsAddress: false },
    { id: "gemini", label: "Google Gemini", key: "GEMINI_API_KEY", example: "gemini-2.5-flash", needsAddress: false },
    { id: "mistral", label: "Mistral", key: "MISTRAL_API_KEY", example: "codestral-latest", needsAddress: false },
    { id: "deepseek", label: "DeepSeek", key: "DEEPSEEK_API_KEY", example: "deepseek-chat", needsAddress: false },
    { id: "groq", label: "Groq", key: "GROQ_API_KEY", example: "openai/gpt-oss-120b", needsAddress: false },
    {
        id: "openrouter",
        label: "OpenRouter",
        key: "OPENROUTER_API_KEY",
        example: "openai/gpt-5-mini",
        needsAddress: false,
    },
    { id: "azure", label: "Azure OpenAI", key: "AZURE_OPENAI_API_KEY", example: "my-deployment", needsAddress: true },
];

/** What a provider is called by people, from its name in the settings; an unknown one keeps its name. */
export function labelOf(provider: string): string {
    return PROVIDERS.find((each) => each.id === provider)?.label ?? provider;
}

/** What is wrong with an address of a server of models; undefined for a good one. */
export function flawOf(address: string): "no address" | "has a key in it" | undefined {
    if (!URL.canParse(address)) return "no address";
    const { protocol, username, password, search } = new URL(address);
    if (protocol !== "http:" && protocol !== "https:") return "no address";
    return username !== "" || password !== "" || search !== "" ? "has a key in it" : undefined;
}

/**
 * The name of the key of a server that certo does not know.
 *
 * It is made of the address, so that a key that was given for one server is never sent to another.
 */
export function keyNameFor(address: string): string {
    const { host } = new URL(address);
    return `KEY_FOR_${host.replace(/[^a-z0-9]/gu, (sign) => WRITTEN[sign] ?? "").toUpperCase()}`;
}

/** The name of a model's key: the provider's usual one at its own address, and elsewhere the one that is given. */
export function keyNameOf(model: string, baseUrl: string, keyVariable: string): string {
    if (keyVariable !== "" || baseUrl !== "") return keyVariable;
    return PROVIDERS.find((each) => model.startsWith(`${each.id}:`))?.key ?? "";
}

/** How the signs of a host are written in a name, so that no two hosts have the same. */
const WRITTEN: Readonly<Record<string, string>> = { ".": "_", "-": "__", ":": "___" };
