"""A package, so that its tests share what has the scope of one."""
