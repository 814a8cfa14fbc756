// A hole in the code: certo offers to implement it.

import { TILL } from "./project";
import { journey } from "./stage";

const FILE = "till/basket.py";

journey("hole", { projects: [TILL], themes: ["light", "dark"] }, async (window) => {
    await window.openFile(FILE, "loyalty_points(pence");

    await window.step("the action is offered", async () => {
        await window.actions(/loyalty_points/);
    });
});
