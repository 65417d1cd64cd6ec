"""The engine "gpu": all runs of a study at once, one trajectory per thread of a graphics card."""

from gudgeon.study.engines.gpu.engine import Gpu

__all__ = ["Gpu"]
