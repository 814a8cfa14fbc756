"""The output of `certo verify --changed`, in each of its formats."""
