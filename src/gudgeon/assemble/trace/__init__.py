"""A mechanism on symbols: coordinates, parameters, joints, drives and loads as graphs of position formulas."""
