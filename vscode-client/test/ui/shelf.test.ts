// A model of VS Code's own is chosen, and writes the candidate that is accepted.

import { join } from "node:path";

import { CLIENT } from "./places";
import { TILL } from "./project";
import { journey } from "./stage";

const FILE = "till/basket.py";
const SHELF = join(CLIENT, "test/ui/extensions/shelf");

journey("shelf", { projects: [TILL], extensions: [SHELF] }, async (window) => {
    await window.openFile(FILE, "loyalty_points(pence");
    await window.daemon();

    await window.step("a model of VS Code is among those to choose from", async () => {
        await window.run("certo.model.choose");
        await window.input.locator(".monaco-list-row", { hasText: "Oak Small" }).waitFor();
    });
    await window.step("it is chosen", async () => {
        await window.answer("Oak Small", "Oak Small");
        await window.toasts.filter({ hasText: "editor:shelf/oak-small" }).waitFor();
    });
    await window.step("it writes a candidate", async () => {
        await window.openFile(FILE, "loyalty_points(pence");
        await window.run("certo.start");
        await window.verified(FILE);
    });
    await window.step("the candidate is accepted", async () => {
        await window.accept(FILE, "raise NotImplementedError");
        await window.editor(FILE).locator(".view-line", { hasText: "0x64" }).waitFor();
    });
});
