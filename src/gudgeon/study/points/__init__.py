"""What a study varies: values of one path, and which combinations of them are run."""
