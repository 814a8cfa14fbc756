"""The words of certo as plain frozen values; standard library only."""
