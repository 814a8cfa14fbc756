"""Taking an order and running it: launch, zygote, supervisor, overlay."""
