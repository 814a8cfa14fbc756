// A page of Markdown as people read it, always as it is now.

import { commands } from "vscode";
import type { Uri } from "vscode";

/** Shows a document of Markdown. A preview of before would keep its page when the text behind it has changed meanwhile. */
export async function preview(uri: Uri): Promise<void> {
    await commands.executeCommand("markdown.showPreview", uri);
    await commands.executeCommand("markdown.preview.refresh");
}
