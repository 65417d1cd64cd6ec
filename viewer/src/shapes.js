// Bodies and joints as solids, from what the model says: points, axes, radii. Nothing here knows about time.
import {
  BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, ExtrudeGeometry, FrontSide, Group, LatheGeometry, Line,
  LineBasicMaterial, Mesh, MeshStandardMaterial, Path, Quaternion, Shape, SphereGeometry, Vector2, Vector3,
} from "three"; // prettier-ignore

// Okabe and Ito: told apart by colour-blind readers
export const COLOURS = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x8c6d31, 0x7570b3];
export const STEEL = 0x9aa3ab;
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
  const pin = given.length ? Math.min(Math.min(...given), 2.2 * usual) : 0.7 * usual;
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

/** How long and how wide a slider is drawn. */
export function slider({ length, width }, sizes) {
  return { long: length > 0 ? length : 7 * sizes.link, high: width > 0 ? width : 5 * sizes.link };
}

function block(slide, sizes, stuff, planar) {
  const [axis, at] = [vector(slide.axis), vector(slide.point)];
  const { long, high } = slider(slide, sizes);
  const mesh = new Mesh(new BoxGeometry(long, high, planar ? 1.6 * sizes.link : 0.7 * high), stuff);
  mesh.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), axis.normalize());
  mesh.position.copy(at);
  return mesh;
}

/** A shaft that slides in a bore: length of the bore, and from where to where the shaft must reach along its axis. */
export function shaft(joint, sizes) {
  const bore = joint.length > 0 ? joint.length : 3.2 * sizes.link;
  const over = bore / 2 + sizes.link;
  const { travel = 0, middle = 0 } = joint;
  const stop = joint.stops.translation ?? {};
  const [low, high] = [stop.lower ?? middle - travel / 2, stop.upper ?? middle + travel / 2];
  return { bore, from: -high - over, to: -low + over };
}

/** How far the pins of a universal joint's cross reach. */
const reach = (sizes) => 2.4 * sizes.link;

/** Where a fork ends at its shaft. */
const forked = (joint, side, sizes) => vector(joint[`point_${side}`]).addScaledVector(vector(joint.cross[`way_${side}`]), 1.4 * reach(sizes));

/** One half of a universal joint in the frame of its body: the pin of the cross that turns there, held by a fork. */
function yoke(joint, side, sizes, colour) {
  const [at, pin] = [vector(joint[`point_${side}`]), vector(joint.cross[`pin_${side}`])];
  const base = forked(joint, side, sizes);
  const stuff = material(colour);
  const on = (from, share) => from.clone().addScaledVector(pin, share * reach(sizes));
  const group = new Group();
  group.add(rod(on(at, -1), on(at, 1), 0.45 * sizes.link, material(0x5b6670)), rod(on(base, -1), on(base, 1), 0.4 * sizes.link, stuff));
  for (const s of [-1, 1])
    group.add(rod(on(at, 0.7 * s), on(at, 1.15 * s), 0.8 * sizes.link, stuff), rod(on(at, s), on(base, s), 0.4 * sizes.link, stuff), ball(on(base, s), 0.4 * sizes.link, stuff));
  return group;
}

/** Pin or ball of a joint, in the frame of its journal body. */
export function journal(joint, sizes, planar, colour) {
  if (joint.cross) return yoke(joint, "i", sizes, colour);
  const radius = pinRadius(joint, sizes);
  const stuff = material(0x5b6670);
  if (joint.kind === "spherical") return ball(vector(joint.point_i), radius, material(0xc9d1d8));
  if (joint.kind === "contact") return roller(joint.point_i, joint.journal_radius, sizes, planar, stuff);
  if (joint.shifts) {
    const { from, to } = shaft(joint, sizes);
    const [at, axis] = [vector(joint.point_i), vector(joint.axis_i).normalize()];
    return rod(at.clone().addScaledVector(axis, from), at.clone().addScaledVector(axis, to), radius, stuff);
  }
  const long = planar ? 4.2 * sizes.link : joint.length > 0 ? Math.max(joint.length, 2 * radius) : 5 * sizes.link;
  const mesh = along(new Mesh(new CylinderGeometry(radius, radius, long, 40), stuff), planar ? Z : vector(joint.axis_i));
  mesh.position.copy(vector(joint.point_i));
  return mesh;
}

/** A round body that touches others from outside: a disc in the plane, a ball in space. */
function roller(point, radius, sizes, planar, stuff) {
  if (!planar) return ball(vector(point), radius, stuff);
  const mesh = along(new Mesh(new CylinderGeometry(radius, radius, sizes.link, 64), stuff), Z);
  mesh.position.copy(vector(point));
  return mesh;
}

/** Bore or socket of a joint, in the frame of its bearing body; `gap` is the radial clearance as drawn. */
export function bearing(joint, sizes, planar, gap, colour) {
  if (joint.cross) return yoke(joint, "j", sizes, colour);
  const inner = pinRadius(joint, sizes) + gap;
  if (joint.kind === "spherical") return ball(vector(joint.point_j), inner * 1.02, material(colour, 0.28));
  if (joint.kind === "contact") return roller(joint.point_j, joint.radius, sizes, planar, material(colour));
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

/** Rails beside a slide, in the frame of its bearing body. */
export function rails(joint, scene, sizes, colour) {
  const group = new Group();
  const stuff = material(colour);
  const axis = vector(joint.axis_j).normalize();
  const { long, high } = slider(joint, sizes);
  const stop = joint.stops.translation ?? {};
  // to the outer faces of its stops, else a little beyond its travel
  const ends = [-1, 1].map((s) => {
    const limit = s < 0 ? stop.lower : stop.upper;
    const given = limit !== undefined && limit !== null;
    return given ? stop.from + limit + s * (long / 2 + 1.2 * sizes.link) : joint.middle + s * (joint.travel / 2 + long / 2 + sizes.link);
  });
  if (joint.frame_j >= 0) {
    // on a body that moves the slider rides on a bar
    const [a, b] = ends.map((x) => vector(joint.point_j).addScaledVector(axis, x));
    group.add(scene.planar ? bar(a, b, 2 * sizes.link, sizes.link, stuff) : rod(a, b, 0.7 * sizes.link, stuff));
    return group;
  }
  const middle = vector(joint.point_j).addScaledVector(axis, (ends[0] + ends[1]) / 2);
  const side = scene.planar ? new Vector3(-axis.y, axis.x, 0) : perpendicular(axis);
  for (const s of [-1, 1]) {
    const rail = new Mesh(new BoxGeometry(ends[1] - ends[0], 0.7 * sizes.link, 2.4 * sizes.link), stuff);
    rail.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), axis);
    rail.position.copy(middle).addScaledVector(side, s * (high / 2 + 0.35 * sizes.link));
    group.add(rail);
  }
  return group;
}

/** The foot under a bore that stands on the ground. */
export function support(joint, scene, sizes) {
  const group = new Group();
  const stuff = material(STEEL);
  const at = joint.cross ? forked(joint, "j", sizes) : vector(joint.point_j);
  if (scene.planar) {
    const foot = new Shape([[-2.6, -4.2], [2.6, -4.2], [1.2, 0], [-1.2, 0]].map(([x, y]) => new Vector2(x * sizes.link, y * sizes.link)));
    const hole = new Path();
    foot.holes.push(hole.absarc(0, 0, 0.01 * sizes.link, 0, 2 * Math.PI, true));
    const mesh = new Mesh(new ExtrudeGeometry(foot, { depth: sizes.link, bevelEnabled: false }), stuff);
    mesh.position.set(at.x, at.y, -2.4 * sizes.link);
    // mechanisms that swing hang from above, others stand
    if (scene.hangs) mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), vector(scene.gravity).normalize());
    group.add(mesh);
  } else {
    const down = scene.gravity && vector(scene.gravity).length() > 0 ? vector(scene.gravity).normalize() : new Vector3(0, 0, -1);
    const way = scene.hangs ? -4 : 4;
    group.add(rod(at, at.clone().addScaledVector(down, way * sizes.link), 0.9 * sizes.link, stuff));
  }
  return group;
}

export function perpendicular(axis) {
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
    this.line.geometry.boundingSphere = null; // of another shape
  }
}
