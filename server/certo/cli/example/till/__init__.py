"""The till of a corner shop; prices are in pence."""
