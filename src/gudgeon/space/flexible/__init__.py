"""Beams: a line of nodes, shape functions and strains."""

from gudgeon.space.flexible.beam import BeamSection, Strains, strains
from gudgeon.space.flexible.node import Node
from gudgeon.space.flexible.shape import GAUSS, Shape, shape

__all__ = ["GAUSS", "BeamSection", "Node", "Shape", "Strains", "shape", "strains"]
