"""Where the runs of a study are computed: processes of this computer, threads, a cluster, a graphics card.

`job.py` is what a worker needs to make any run, `driver.py` hands runs to an engine and writes down what comes. The
engines "threads" and "gpu" march all trajectories by one compiled program (`gpu/`); abandoned trajectories have the
time NaN, and kernels skip them.
"""
