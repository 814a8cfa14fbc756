// Two candidates side by side, with a call that tells them apart; and what the user has to say of one.

import { journey } from "./stage";
import { FILE, SPANS, THREE } from "./spans";
import { until } from "./waiting";

journey("compare", { projects: [SPANS], settings: THREE, themes: ["light", "dark"] }, async (window) => {
    await window.openFile(FILE, "span(values)");
    await window.step("the search has ended", async () => {
        await window.run("certo.start");
        await until(
            "a verified candidate",
            async () => (await window.lenses(FILE).allInnerTexts()).some((each) => each.includes("Accept")),
            90_000,
        );
    });
    await window.step("another candidate is chosen", async () => {
        await window.run("certo.candidate.compare");
        await window.input.locator(".monaco-list-row", { hasText: "guessed" }).click();
        await window.page.locator(".monaco-diff-editor").waitFor();
    });
    await window.step("a call tells the two apart", async () => {
        await window.toasts.filter({ hasText: "Is Right" }).waitFor({ timeout: 90_000 });
        await until("the call behind the function", async () => /span\(.*\) →/.test((await window.diff()).modified));
    });
    await window.step("what is wrong can be said at the function", async () => {
        await window.palette("Notifications: Clear All Notifications");
        await window.run("certo.candidate.comment");
        await window.page.locator(".review-widget").waitFor();
    });
    await window.step("which is feedback for a retry", async () => {
        await window.page.locator(".review-widget .monaco-editor").click();
        await window.page.keyboard.type("Sort them first, please.");
        await window.page.locator(".review-widget .monaco-button", { hasText: "Retry" }).click();
        await window.page.locator(".review-widget").waitFor({ state: "detached" });
    });
});
