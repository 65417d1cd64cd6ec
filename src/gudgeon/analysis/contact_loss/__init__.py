"""Where a loose journal must lose contact, from the motion with ideal joints alone."""
