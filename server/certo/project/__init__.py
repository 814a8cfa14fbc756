"""The user's project: its root, its interpreter, its tests."""
