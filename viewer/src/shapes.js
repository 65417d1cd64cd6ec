// Bodies and joints as solids, from what the model says: points, axes, radii. Nothing here knows about time.
import {
  BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, ExtrudeGeometry, FrontSide, Group, LatheGeometry, Line,
  LineBasicMaterial, Matrix4, Mesh, MeshStandardMaterial, Path, Quaternion, Shape, SphereGeometry, TorusGeometry,
  Vector2, Vector3,
} from "three"; // prettier-ignore

// Okabe and Ito: told apart by colour-blind readers
export const COLOURS = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x8c6d31, 0x7570b3];
const STEEL = 0x9aa3ab;
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

export const vector = (p) => new Vector3(p[0], p[1], p[2] ?? 0);

export function material(colour, opacity = 1) {
  return new MeshStandardMaterial({
    color: colour, metalness: 0.15, roughness: 0.55, transparent: opacity < 1, opacity, depthWrite: opacity === 1,
    side: opacity < 1 ? DoubleSide : FrontSide,
  }); // prettier-ignore
}

function along(mesh, axis) {
  mesh.quaternion.setFromUnitVectors(Y, axis.clone().normalize());
  return mesh;
}

export function rod(a, b, radius, stuff) {
  const way = b.clone().sub(a);
  const mesh = along(new Mesh(new CylinderGeometry(radius, radius, way.length(), 24), stuff), way);
  mesh.position.copy(a).addScaledVector(way, 0.5);
  return mesh;
}

function ball(at, radius, stuff) {
  const mesh = new Mesh(new SphereGeometry(radius, 32, 20), stuff);
  mesh.position.copy(at);
  return mesh;
}

/** A flat bar with round ends between points of the plane. */
function bar(a, b, width, thickness, stuff) {
  const way = new Vector2(b.x - a.x, b.y - a.y);
  const shape = new Shape();
  const half = width / 2;
  shape.absarc(0, 0, half, Math.PI / 2, (3 * Math.PI) / 2, false);
  shape.absarc(way.length(), 0, half, -Math.PI / 2, Math.PI / 2, false);
  const solid = new ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: false, curveSegments: 24 });
  const mesh = new Mesh(solid, stuff);
  mesh.position.set(a.x, a.y, -thickness / 2);
  mesh.rotation.z = Math.atan2(way.y, way.x);
  return mesh;
}

function hull(points) {
  const sorted = [...points].sort((p, q) => p.x - q.x || p.y - q.y);
  const cross = (o, p, q) => (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
  const half = (list) => {
    const found = [];
    for (const p of list) {
      while (found.length >= 2 && cross(found.at(-2), found.at(-1), p) <= 0) found.pop();
      found.push(p);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function plate(points, thickness, stuff) {
  const shape = new Shape(hull(points).map((p) => new Vector2(p.x, p.y)));
  const mesh = new Mesh(new ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: false }), stuff);
  mesh.position.z = -thickness / 2;
  return mesh;
}

/** Sizes of everything drawn, from the size of the mechanism and the radius of its thinnest pin. */
export function gauge(scene) {
  const given = scene.joints.map((j) => j.radius).filter((r) => r > 0);
  const usual = 0.022 * scene.size;
  const pin = given.length ? Math.min(Math.min(...given), 2.2 * usual) : usual;
  return { pin: Math.max(pin, 0.5 * usual), link: Math.min(Math.max(1.6 * pin, 0.8 * usual), 2 * usual) };
}

/** The radius a joint's pin is drawn with. */
export function pinRadius(joint, sizes) {
  return joint.radius > 0 ? Math.min(joint.radius, 2.4 * sizes.pin) : sizes.pin;
}

/** A body: bars between the points where it is held, a block where it slides. */
export function body(entry, scene, sizes, colour) {
  const group = new Group();
  const stuff = material(colour);
  const points = distinct(entry.points.map(vector), 0.3 * sizes.link);
  for (const slide of entry.slides) group.add(block(slide, sizes, stuff, scene.planar));
  if (scene.planar) {
    const wide = 2 * sizes.link;
    if (points.length >= 3 && flat(points)) group.add(plate(points, sizes.link, stuff));
    const ends = points.length === 1 ? [points[0], new Vector3()] : spanning(points);
    for (let k = 0; k + 1 < ends.length; k++)
      if (ends[k].distanceTo(ends[k + 1]) > 0.2 * wide) group.add(bar(ends[k], ends[k + 1], wide, sizes.link, stuff));
    if (points.length >= 3) group.add(...hull(points).map((p, k, all) => bar(p, all[(k + 1) % all.length], wide, sizes.link, stuff)));
  } else {
    const ends = points.length === 1 ? [points[0], new Vector3()] : spanning(points);
    for (let k = 0; k + 1 < ends.length; k++)
      if (ends[k].distanceTo(ends[k + 1]) > 0.2 * sizes.link) group.add(rod(ends[k], ends[k + 1], 0.7 * sizes.link, stuff));
    for (const p of ends) group.add(ball(p, 0.7 * sizes.link, stuff));
  }
  if (!group.children.length) group.add(ball(new Vector3(), 1.6 * sizes.link, stuff));
  return group;
}

function distinct(points, least) {
  const found = [];
  for (const p of points) if (!found.some((q) => q.distanceTo(p) < least)) found.push(p);
  return found;
}

/** Points in the order in which one walks along them. */
function spanning(points) {
  if (points.length < 3) return points;
  let best = [points[0], points[1]];
  for (const p of points) for (const q of points) if (p.distanceTo(q) > best[0].distanceTo(best[1])) best = [p, q];
  const way = best[1].clone().sub(best[0]);
  return [...points].sort((p, q) => p.clone().sub(q).dot(way) * 1);
}

function flat(points) {
  const [a, b] = [points[1].clone().sub(points[0]), points[2].clone().sub(points[0])];
  return a.cross(b).length() > 1e-3 * points[0].distanceTo(points[1]) ** 2;
}

function block(slide, sizes, stuff, planar) {
  const [axis, at] = [vector(slide.axis), vector(slide.point)];
  const long = slide.length > 0 ? slide.length : 7 * sizes.link;
  const high = slide.width > 0 ? slide.width : 5 * sizes.link;
  const mesh = new Mesh(new BoxGeometry(long, high, planar ? 1.6 * sizes.link : 0.7 * high), stuff);
  mesh.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), axis.normalize());
  mesh.position.copy(at);
  return mesh;
}

/** Pin or ball of a joint, in the frame of its journal body. */
export function journal(joint, sizes, planar) {
  const radius = pinRadius(joint, sizes);
  const stuff = material(0x5b6670);
  if (joint.kind === "spherical") return ball(vector(joint.point_i), radius, material(0xc9d1d8));
  const long = planar ? 4.2 * sizes.link : joint.length > 0 ? Math.max(joint.length, 2 * radius) : 5 * sizes.link;
  const mesh = along(new Mesh(new CylinderGeometry(radius, radius, long, 40), stuff), planar ? Z : vector(joint.axis_i));
  mesh.position.copy(vector(joint.point_i));
  return mesh;
}

/** Bore or socket of a joint, in the frame of its bearing body; `gap` is the radial clearance as drawn. */
export function bearing(joint, sizes, planar, gap, colour) {
  const inner = pinRadius(joint, sizes) + gap;
  if (joint.kind === "spherical") return ball(vector(joint.point_j), inner * 1.02, material(colour, 0.28));
  const wall = Math.max(0.55 * sizes.link, 0.12 * inner);
  const long = planar ? 2.6 * sizes.link : joint.length > 0 ? joint.length : 3.2 * sizes.link;
  const profile = [
    [inner, -long / 2], [inner + wall, -long / 2], [inner + wall, long / 2], [inner, long / 2], [inner, -long / 2],
  ]; // prettier-ignore
  const ring = new LatheGeometry(profile.map(([r, h]) => new Vector2(r, h)), 48);
  const mesh = along(new Mesh(ring, material(colour, joint.loose ? 0.55 : 1)), planar ? Z : vector(joint.axis_j));
  mesh.position.copy(vector(joint.point_j));
  return mesh;
}

/** What stands on the ground: a foot under a bore, rails beside a slide, blocks at its stops. */
export function support(joint, scene, sizes) {
  const group = new Group();
  const stuff = material(STEEL);
  const at = vector(joint.point_j);
  if (joint.slides) {
    const axis = vector(joint.axis_j).normalize();
    const long = Math.max(joint.travel * 1.15 + 8 * sizes.link, 12 * sizes.link);
    const middle = at.clone().addScaledVector(axis, joint.middle);
    const side = scene.planar ? new Vector3(-axis.y, axis.x, 0) : perpendicular(axis);
    const far = (joint.width > 0 ? joint.width : 5 * sizes.link) / 2 + 0.35 * sizes.link;
    for (const s of [-1, 1]) {
      const rail = new Mesh(new BoxGeometry(long, 0.7 * sizes.link, 2.4 * sizes.link), stuff);
      rail.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), axis);
      rail.position.copy(middle).addScaledVector(side, s * far);
      group.add(rail);
    }
  } else if (scene.planar) {
    const foot = new Shape([[-2.6, -4.2], [2.6, -4.2], [1.2, 0], [-1.2, 0]].map(([x, y]) => new Vector2(x * sizes.link, y * sizes.link)));
    const hole = new Path();
    foot.holes.push(hole.absarc(0, 0, 0.01 * sizes.link, 0, 2 * Math.PI, true));
    const mesh = new Mesh(new ExtrudeGeometry(foot, { depth: sizes.link, bevelEnabled: false }), stuff);
    mesh.position.set(at.x, at.y, -2.4 * sizes.link);
    group.add(mesh);
  } else {
    const down = scene.gravity && vector(scene.gravity).length() > 0 ? vector(scene.gravity).normalize() : new Vector3(0, 0, -1);
    group.add(rod(at, at.clone().addScaledVector(down, 4 * sizes.link), 0.9 * sizes.link, stuff));
  }
  return group;
}

function perpendicular(axis) {
  const other = Math.abs(axis.z) < 0.9 ? Z : new Vector3(1, 0, 0);
  return other.clone().cross(axis).normalize();
}

/** A coil between two points, put anew as they move. */
export class Coil {
  constructor(width, colour) {
    this.width = width;
    this.line = new Line(new BufferGeometry().setFromPoints(Array(97).fill(new Vector3())), new LineBasicMaterial({ color: colour }));
    this.line.frustumCulled = false;
  }

  put(a, b) {
    const way = b.clone().sub(a);
    const turn = new Quaternion().setFromUnitVectors(Y, way.clone().normalize());
    const places = this.line.geometry.attributes.position;
    const p = new Vector3();
    for (let k = 0; k < 97; k++) {
      const s = k / 96;
      const r = s < 0.08 || s > 0.92 ? 0 : this.width;
      p.set(r * Math.cos(16 * Math.PI * s), way.length() * s, r * Math.sin(16 * Math.PI * s)).applyQuaternion(turn).add(a);
      places.setXYZ(k, p.x, p.y, p.z);
    }
    places.needsUpdate = true;
  }
}

/** A tube through points that are put anew as a beam bends. */
export class Tube {
  constructor(count, radius, stuff) {
    this.radius = radius;
    this.mesh = new Group();
    this.parts = Array.from({ length: count - 1 }, () => new Mesh(new CylinderGeometry(1, 1, 1, 16), stuff));
    this.knots = Array.from({ length: count }, () => new Mesh(new SphereGeometry(radius, 16, 10), stuff));
    this.mesh.add(...this.parts, ...this.knots);
  }

  put(points) {
    points.forEach((p, k) => this.knots[k].position.copy(p));
    this.parts.forEach((part, k) => {
      const way = points[k + 1].clone().sub(points[k]);
      part.quaternion.setFromUnitVectors(Y, way.clone().normalize());
      part.scale.set(this.radius, way.length(), this.radius);
      part.position.copy(points[k]).addScaledVector(way, 0.5);
    });
  }
}

/** Where a turn is stopped: an arc about the joint's axis with a cheek at either end. */
export function sector(joint, sizes) {
  const group = new Group();
  const axis = vector(joint.axis_j).normalize();
  const radius = 5 * sizes.link;
  const [low, high] = [joint.stop.lower ?? -Math.PI, joint.stop.upper ?? Math.PI];
  const arc = new Mesh(new TorusGeometry(radius, 0.15 * sizes.link, 8, 64, Math.min(high - low, 2 * Math.PI)), material(0xc23b22));
  // arcs start at the direction from the joint to the journal body as described
  const from = vector(joint.towards).addScaledVector(axis, -vector(joint.towards).dot(axis));
  if (from.length() < 1e-9) from.copy(perpendicular(axis));
  from.normalize();
  const frame = new Matrix4().makeBasis(from, axis.clone().cross(from), axis);
  arc.quaternion.setFromRotationMatrix(frame).multiply(new Quaternion().setFromAxisAngle(Z, low));
  arc.position.copy(vector(joint.point_j));
  group.add(arc);
  return group;
}
