"""Joint kinds: each is a list of mates and the directions it leaves free."""
