// A function is cut out of a file as a reader would.

import assert from "node:assert/strict";
import { test } from "node:test";

import { functionIn } from "../../src/review/functionText";

test("a function ends before the next statement in its column, and without the empty lines between", () => {
    const text =
        "import a\n\n\ndef f(x):\n    if x:\n\n        return 1\n    return 2\n\n\n# about g\ndef g():\n    pass\n";
    assert.equal(functionIn(text, 4), "def f(x):\n    if x:\n\n        return 1\n    return 2\n");
});

test("neither a signature nor a text of several lines ends it", () => {
    const text = 'def f(\n    x,\n):\n    """Says\nnothing (\n    """\n    return (\n1\n)\nend = 1\n';
    assert.equal(functionIn(text, 1), text.replace("end = 1\n", ""));
});

test("a method comes without its indentation, and with its decorators", () => {
    const text =
        "class A:\n    @property\n    def f(self):\n        # one\n        return '('\n\n    def g(self):\n        pass\n";
    assert.equal(functionIn(text, 2), "@property\ndef f(self):\n    # one\n    return '('\n");
});

test("the last function of a file is whole", () => {
    assert.equal(functionIn("def f():\n    return 1", 1), "def f():\n    return 1\n");
    assert.equal(functionIn("async def f(): return 1\nx = 1\n", 1), "async def f(): return 1\n");
});
