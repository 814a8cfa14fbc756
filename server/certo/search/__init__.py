"""The engine: grants, proposes, judges, tells; until an outcome."""
