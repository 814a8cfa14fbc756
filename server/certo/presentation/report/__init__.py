"""A search as one page of HTML, which needs no network and runs no script."""
