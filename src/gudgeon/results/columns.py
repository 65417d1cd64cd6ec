"""Columns of an event row of the tape before the state (as methods.work has them, without importing the methods)."""

TIME, CONTACT, KIND, DEPTH, RATE, FORCE, FORCE_TIME, MAX_DEPTH, HEADER = range(9)
RELEASE, ONSET, IMPACT = 0.0, 1.0, 2.0
# what an impact has there: opening speed after, impulse, effective mass, impulse of friction
REBOUND, IMPULSE, MASS, RUB = DEPTH, FORCE, FORCE_TIME, MAX_DEPTH
