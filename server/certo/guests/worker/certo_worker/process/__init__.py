"""Execution of an order: launch, zygote, supervisor, overlay."""
