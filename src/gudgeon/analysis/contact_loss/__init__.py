"""Where a loose journal must lose contact, from the motion with ideal joints alone.

    gd.contact_loss(mechanism)                       each planar pin with a clearance: lost or kept, where, up to which
                                                     clearance
    gd.contact_loss(mechanism)["pin"].lost           when the wall would first have to pull [s]

A journal that stays at the wall is a pendulum as long as the clearance, in the load that the ideal joint carries. Both
the load and the mass that the joint feels come from the ideal motion (`ideal_load.py`); the pendulum is one equation
of second order (`following.py`), far cheaper than contact. It is followed rather than judged by a number, since
what one passage leaves behind decides about the next.
"""

from gudgeon.analysis.contact_loss.contact_loss import ContactLoss, JointLoss, contact_loss
from gudgeon.analysis.contact_loss.following import Follower, Load

__all__ = ["ContactLoss", "Follower", "JointLoss", "Load", "contact_loss"]
