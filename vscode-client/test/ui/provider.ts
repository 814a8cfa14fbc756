// A provider of language models on this machine that speaks like OpenAI, and always answers the same.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What such a provider was sent. */
export interface Question {
    readonly authorization: string;
    readonly body: string;
}

/** Serves a model that answers with this text for as long as `act` takes. */
export async function providing(
    answer: string,
    act: (address: string, questions: readonly Question[]) => Promise<void>,
): Promise<void> {
    const questions: Question[] = [];
    const server = createServer((request, response) => {
        let body = "";
        request.setEncoding("utf8");
        request.on("data", (piece: string) => {
            body += piece;
        });
        request.on("end", () => {
            questions.push({ authorization: request.headers.authorization ?? "", body });
            response.writeHead(200, { "content-type": "text/event-stream" });
            for (const content of answer.match(/[^]{1,12}/gu) ?? []) {
                response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
            }
            response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
            response.write(event({ choices: [], usage: { prompt_tokens: 200, completion_tokens: 40 } }));
            response.end("data: [DONE]\n\n");
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
        await act(`http://127.0.0.1:${port}/v1`, questions);
    } finally {
        server.close();
        server.closeAllConnections();
    }
}

function event(chunk: Readonly<Record<string, unknown>>): string {
    return `data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`;
}
