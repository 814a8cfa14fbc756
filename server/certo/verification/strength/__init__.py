"""Test strength: small changes of a function that its tests notice, and those that they miss."""
