"""The editor's face: one file per LSP feature; decode, ask, encode."""
