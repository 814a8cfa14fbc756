"""Language models over HTTP, and the editor's own: one contract, one file a wire format, and wrappers around them."""
