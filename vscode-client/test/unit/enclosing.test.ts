// What a command is about when it is run from the palette: the function that the cursor is in, and no other.

import assert from "node:assert/strict";
import { test } from "node:test";

import { enclosing } from "../../src/review/enclosing";

const TEXT = `import a


@a.kept
def outer(x):
    """Says so."""

    def inner(y):
        return y

    return inner(x)


def other(
    x,
):
    return x


print(1)
`;

const [OUTER, INNER, OTHER] = [4, 7, 13];

test("it is the function that the line is in, whichever comes first", () => {
    assert.equal(enclosing(TEXT, 5, [OUTER, OTHER]), 0);
    assert.equal(enclosing(TEXT, 16, [OUTER, OTHER]), 1);
    assert.equal(enclosing(TEXT, 16, [OTHER, OUTER]), 0);
    assert.equal(enclosing(TEXT, 10, [OUTER, OTHER]), 0);
});

test("it is the innermost, in whatever order they are told of", () => {
    assert.equal(enclosing(TEXT, 8, [OUTER, INNER]), 1);
    assert.equal(enclosing(TEXT, 8, [INNER, OUTER]), 0);
    assert.equal(enclosing(TEXT, 10, [INNER, OUTER]), 1);
});

test("decorators belong to it, and the line behind it does not", () => {
    assert.equal(enclosing(TEXT, 3, [OUTER]), 0);
    assert.equal(enclosing(TEXT, 3, [OUTER - 1]), 0);
    assert.equal(enclosing(TEXT, 13, [OUTER]), undefined);
});

test("outside of every function it is none", () => {
    for (const line of [0, 1, 19, 99]) assert.equal(enclosing(TEXT, line, [OUTER, INNER, OTHER]), undefined);
    assert.equal(enclosing(TEXT, 16, [OUTER]), undefined);
    assert.equal(enclosing(TEXT, 16, []), undefined);
});
