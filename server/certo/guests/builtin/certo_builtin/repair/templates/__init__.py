"""Ways in which a function may be wrong, and the edits that would put it right."""
