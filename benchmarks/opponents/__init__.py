"""The opponents of the speed races: what gudgeon is measured against, nothing of gudgeon itself."""
