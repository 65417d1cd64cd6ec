// Where every body is at a time, with the play of its joints magnified.
import { Quaternion, Vector3 } from "three";
import { before, decode } from "./data.js";

/** Poses of one run. Plane: x, y, angle. Space: x, y, z and Euler parameters, scalar first. */
export class Motion {
  constructor(bytes, tape, planar) {
    this.planar = planar;
    this.width = planar ? 3 : 7;
    this.times = decode(bytes, tape.t);
    this.poses = tape.poses.map((ref) => decode(bytes, ref));
    // the change of each pose by one more of every offset in a joint
    this.plays = tape.plays.map((ref) => (ref ? decode(bytes, ref) : null));
  }

  /** Other poses, with what play adds to them where that is known. */
  replace(times, poses, plays) {
    Object.assign(this, { times, poses, plays: plays ?? poses.map(() => null) });
  }

  get start() {
    return this.times[0];
  }

  get end() {
    return this.times[this.times.length - 1];
  }

  /** Put position and orientation of body k at time t into an object of three.js. */
  put(object, k, t, magnify) {
    const { times, width } = this;
    const i = before(times, t);
    const j = Math.min(i + 1, times.length - 1);
    const span = times[j] - times[i];
    const s = span > 0 ? Math.min(1, Math.max(0, (t - times[i]) / span)) : 0;
    const pose = this.poses[k];
    const play = magnify === 1 ? null : this.plays[k];
    const mix = (c) => {
      const base = pose[i * width + c] * (1 - s) + pose[j * width + c] * s;
      if (!play) return base;
      return base + (magnify - 1) * (play[i * width + c] * (1 - s) + play[j * width + c] * s);
    };
    if (this.planar) {
      object.position.set(mix(0), mix(1), object.position.z);
      object.quaternion.setFromAxisAngle(AXIS, mix(2));
      return;
    }
    object.position.set(mix(0), mix(1), mix(2));
    // the signs of the parameters may differ from row to row: take the nearer
    const a = [3, 4, 5, 6].map((c) => pose[i * width + c]);
    const b = [3, 4, 5, 6].map((c) => pose[j * width + c]);
    const sign = a.reduce((sum, x, c) => sum + x * b[c], 0) < 0 ? -1 : 1;
    const e = a.map((x, c) => {
      const base = x * (1 - s) + sign * b[c] * s;
      if (!play) return base;
      const [p, q] = [play[i * width + 3 + c], play[j * width + 3 + c]];
      return base + (magnify - 1) * (p * (1 - s) + sign * q * s);
    });
    object.quaternion.copy(new Quaternion(e[1], e[2], e[3], e[0]).normalize());
  }
}

const AXIS = new Vector3(0, 0, 1);
