"""Linear systems within kernels: dense and sparse LU factors."""
