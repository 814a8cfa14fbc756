"""The limits around a run: kernel features, visible files, environment."""
