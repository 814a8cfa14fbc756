"""Test strength: small changes of a function, and the tests that notice them."""
