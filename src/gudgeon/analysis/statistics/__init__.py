"""Numbers of many periods: means with standard errors, windows of a chaotic motion, peaks against an ideal mechanism.

At hard walls the root mean square counts an impact as the Hertz pulse of its impulse and estimated peak (`pulses.py`).
"""
