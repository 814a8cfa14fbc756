// A machine without Python: it is said what is missing and what to do, and nothing else is asked of the user.

import assert from "node:assert/strict";

import { TILL } from "./project";
import { journey } from "./stage";

journey("python", { projects: [TILL], python: false }, async (window) => {
    await window.step("what is missing is said once", async () => {
        await window.openFile("till/basket.py", "loyalty_points(pence");
        const toast = window.toasts.filter({ hasText: "Python" });
        await toast.first().waitFor();
        assert.equal(await toast.count(), 1);
    });
});
