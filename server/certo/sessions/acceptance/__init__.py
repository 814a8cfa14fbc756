"""From a found candidate to an edit verified on today's text, and back on undo."""
