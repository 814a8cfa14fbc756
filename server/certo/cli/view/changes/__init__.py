"""What `certo verify --changed` prints, in each of its formats."""
