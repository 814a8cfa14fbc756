"""Commands for what certo keeps on this machine."""
