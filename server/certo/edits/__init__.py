"""Text, and where things are in it: targets, positions, patches, diffs."""
