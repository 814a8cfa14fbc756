"""The settings: composed of the options that each room declares, and read once for each search."""
