"""Numbers of many periods or runs: means with standard errors, windows of a chaotic motion, peaks against an ideal
mechanism, percentiles, shares of a variance.

At hard walls the root mean square counts an impact as the Hertz pulse of its impulse and estimated peak (`pulses.py`).
"""
