"""One connected editor: its capabilities, documents, settings and window, and the model and secrets it lends."""
