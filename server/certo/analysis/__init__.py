"""Static analysis of Python: control flow, scopes, constants, capabilities."""
