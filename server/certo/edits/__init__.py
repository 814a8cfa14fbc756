"""Texts and places in them: targets, positions, patches, diffs."""
