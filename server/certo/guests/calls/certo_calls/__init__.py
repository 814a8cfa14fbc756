"""Guest program that calls one generated function once, in a sandbox and under the target's Python."""
