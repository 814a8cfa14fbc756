// The demo project: a window of its own, in which the function to begin with is open and has the cursor.

import { TILL } from "./project";
import { journey } from "./stage";
import { PATIENCE } from "./waiting";

journey("demo", { projects: [TILL] }, async (window) => {
    await window.step("it is opened beside what is open", async () => {
        const opening = window.page.context().waitForEvent("page", { timeout: PATIENCE });
        await window.run("certo.openDemo");
        const demo = await opening;
        await demo.locator(".tab.active", { hasText: "coins.py" }).waitFor({ timeout: PATIENCE });
        await demo.locator(".view-line", { hasText: "def change(" }).first().waitFor({ timeout: PATIENCE });
        await demo.locator(".statusbar-item", { hasText: /Ln \d+, Col 5/ }).waitFor({ timeout: PATIENCE });
    });
});
