"""Components of expressions, by the kind of value they are about."""
