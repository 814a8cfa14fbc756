// Two candidates side by side.

import { journey } from "./stage";
import { FILE, SPANS, THREE } from "./spans";
import { SEARCH, until } from "./waiting";

journey("compare", { projects: [SPANS], settings: THREE }, async (window) => {
    await window.openFile(FILE, "span(values)");
    await window.step("the search has ended", async () => {
        await window.run("certo.start");
        await until(
            "a verified candidate",
            async () => (await window.lenses(FILE).allInnerTexts()).some((each) => each.includes("Accept")),
            SEARCH,
        );
    });
    await window.step("another candidate is chosen", async () => {
        await window.run("certo.candidate.compare");
        await window.input.locator(".monaco-list-row", { hasText: "guessed" }).click();
        await until("both", async () => {
            const { original, modified } = await window.diff();
            return original.includes("low = min(values)") && modified.includes("low = 1");
        });
    });
});
