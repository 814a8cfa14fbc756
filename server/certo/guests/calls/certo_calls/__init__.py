"""The program that calls one generated function once; it runs in a sandbox, under whatever Python is to run it."""
