"""`python -m certo` is the command `certo`."""

from certo.cli.main import run

if __name__ == "__main__":
    run()
