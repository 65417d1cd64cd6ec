"""One file per command; see `gudgeon.cli.app` for what a file holds. Nothing lists them."""
