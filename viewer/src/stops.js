// Stops: cheeks about a pin that a finger meets, blocks in a guide, collars on a shaft. Drawn red.
import { BoxGeometry, CylinderGeometry, Group, Matrix4, Mesh, Quaternion, TorusGeometry, Vector3 } from "three";
import { material, perpendicular, pinRadius, shaft, slider, vector } from "./shapes.js";

const RED = 0xc23b22;
const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);
const ALONE = 0.6; // rad of arc behind a limit that has no partner

/** Everything that stops a joint, by the frame it is fixed to: {journal, bearing}. */
export function stops(joint, sizes, planar) {
  const found = { journal: new Group(), bearing: new Group() };
  const { rotation, translation } = joint.stops;
  if (rotation) turning(found, joint, rotation, sizes, planar ? 1.6 * sizes.link : 0);
  if (translation && joint.slides) blocks(found, joint, translation, sizes, planar);
  else if (translation) collars(found, joint, translation, sizes);
  return found;
}

/** `above`: how far over the plane, so that no slider hides it. */
function turning(found, joint, stop, sizes, above) {
  const stuff = material(RED);
  const inner = pinRadius(joint, sizes) + 0.8 * sizes.link;
  const radius = inner + 1.6 * sizes.link;
  const [low, high] = [stop.lower ?? stop.upper - ALONE, stop.upper ?? stop.lower + ALONE];
  const frame = (axis, mark) => {
    const from = vector(mark).addScaledVector(axis, -vector(mark).dot(axis));
    if (from.length() < 1e-9) from.copy(perpendicular(axis));
    from.normalize();
    return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(from, axis.clone().cross(from), axis));
  };
  const base = frame(vector(joint.axis_j).normalize(), stop.mark_j);
  const turned = (angle) => base.clone().multiply(new Quaternion().setFromAxisAngle(Z, angle));
  const arc = new Mesh(new TorusGeometry(radius, 0.14 * sizes.link, 10, 64, Math.min(high - low, 2 * Math.PI)), stuff);
  arc.quaternion.copy(turned(low));
  arc.position.copy(vector(joint.point_j));
  found.bearing.add(arc);
  // the cheek stands behind its limit, so that the finger's side meets it
  const finger = Math.min(0.12, 0.25 * sizes.link / radius);
  for (const [limit, sign] of [[stop.lower, -1], [stop.upper, 1]]) {
    if (limit === null) continue;
    const cheek = new Mesh(new BoxGeometry(1.5 * sizes.link, 0.5 * sizes.link, 1.3 * sizes.link), stuff);
    const angle = limit + sign * (finger + (0.25 * sizes.link) / radius);
    cheek.quaternion.copy(turned(angle));
    cheek.position.set(radius, 0, 0).applyQuaternion(cheek.quaternion).add(vector(joint.point_j));
    found.bearing.add(cheek);
  }
  const hand = new Mesh(new BoxGeometry(radius - inner + 0.9 * sizes.link, 2 * finger * radius, 0.9 * sizes.link), material(0x5b6670));
  hand.quaternion.copy(frame(vector(joint.axis_i).normalize(), stop.mark_i));
  hand.position.set((inner + radius) / 2, 0, 0).applyQuaternion(hand.quaternion).add(vector(joint.point_i));
  found.journal.add(hand);
  for (const part of [...found.bearing.children, hand]) part.position.z += above;
}

function blocks(found, joint, stop, sizes, planar) {
  const axis = vector(joint.axis_j).normalize();
  const { long, high } = slider(joint, sizes);
  const thick = 1.2 * sizes.link;
  for (const [limit, sign] of [[stop.lower, -1], [stop.upper, 1]]) {
    if (limit === null) continue;
    const block = new Mesh(new BoxGeometry(thick, high, planar ? 2 * sizes.link : 0.7 * high), material(RED));
    block.quaternion.setFromUnitVectors(X, axis);
    block.position.copy(vector(joint.point_j)).addScaledVector(axis, stop.from + limit + (sign * (long + thick)) / 2);
    found.bearing.add(block);
  }
}

function collars(found, joint, stop, sizes) {
  const axis = vector(joint.axis_i).normalize();
  const { bore } = shaft(joint, sizes);
  const thick = 0.6 * sizes.link;
  // at its limit the collar behind the bore meets its face
  for (const [limit, sign] of [[stop.lower, 1], [stop.upper, -1]]) {
    if (limit === null) continue;
    const wide = pinRadius(joint, sizes) + 0.8 * sizes.link;
    const collar = new Mesh(new CylinderGeometry(wide, wide, thick, 40), material(RED));
    collar.quaternion.setFromUnitVectors(Y, axis);
    collar.position.copy(vector(joint.point_i)).addScaledVector(axis, sign * (bore + thick) / 2 - limit - stop.from);
    found.journal.add(collar);
  }
}
