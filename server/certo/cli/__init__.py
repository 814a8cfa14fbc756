"""The terminal's face: one file per sub-command."""
