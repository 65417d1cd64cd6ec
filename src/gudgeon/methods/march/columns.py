"""Columns of an event on the tape; the state (y, m) lies behind them."""

TIME, CONTACT, KIND, DEPTH, RATE, FORCE, FORCE_TIME, MAX_DEPTH, HEADER = range(9)
RELEASE, ONSET, IMPACT = 0.0, 1.0, 2.0  # kinds
# what an impact has there: opening speed after, impulse, effective mass, impulse of friction
REBOUND, IMPULSE, MASS, RUB = DEPTH, FORCE, FORCE_TIME, MAX_DEPTH
