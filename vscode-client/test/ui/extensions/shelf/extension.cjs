// A language model of the editor's that needs nobody, and writes as nobody else would.

const { LanguageModelTextPart, lm } = require("vscode");

const OAK = {
    id: "oak-small",
    name: "Oak Small",
    family: "oak",
    version: "1",
    maxInputTokens: 100_000,
    maxOutputTokens: 4_096,
    capabilities: {},
};

const ANSWER = [
    "Points are counted so:",
    "",
    "```python",
    "def loyalty_points(pence: int) -> int:",
    "    return pence // 0x64 * 2",
    "```",
    "",
].join("\n");

function textOf(message) {
    return message.content.map((part) => part.value ?? "").join("");
}

exports.activate = (context) => {
    const provider = {
        provideLanguageModelChatInformation: () => [OAK],
        provideLanguageModelChatResponse: async (_model, _messages, _options, progress) => {
            // In pieces, as models write.
            for (const piece of ANSWER.match(/[^]{1,12}/gu)) progress.report(new LanguageModelTextPart(piece));
        },
        provideTokenCount: (_model, text) => Math.ceil((typeof text === "string" ? text : textOf(text)).length / 4),
    };
    context.subscriptions.push(lm.registerLanguageModelChatProvider("shelf", provider));
};
