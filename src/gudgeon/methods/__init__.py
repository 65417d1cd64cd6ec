"""Ways through time. Importing this room compiles, or loads from the cache, so it is imported only to run."""
