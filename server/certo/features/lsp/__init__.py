"""The standard LSP features, one file each, and applying edits."""
