"""The worker side of the built-in generator: repair and synthesis beside the user's code, standard library only."""
