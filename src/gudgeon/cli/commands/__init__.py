"""The commands, one file each. A command imports what it computes with when it is called, not before."""
