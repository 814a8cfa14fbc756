"""The engine: grants, proposes, judges and ranks candidates, and emits events, until there is an outcome."""
