"""LSP features, one file each: decode the request, ask, encode the answer."""
