"""Wrong versions of the target: a test that passes with each of them does not depend on what the target does."""
