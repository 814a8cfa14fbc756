"""Knowledge of a project: its repo map, claims, past attempts and lessons."""
