// A beam: a bar swept along the smooth line through its sections, put anew as it bends.
import { BufferAttribute, BufferGeometry, CylinderGeometry, Group, Mesh, Quaternion, SphereGeometry, Vector3 } from "three";

const SAMPLES = 12; // between two sections
const X = new Vector3(1, 0, 0);
const Z = new Vector3(0, 0, 1);

/** Outline of the bar as points with normals, and which neighbours are joined: a rectangle lying in the plane of the
 * drawing, a circle in space. */
function outline(planar, half, thick) {
  if (!planar) {
    const around = Array.from({ length: 17 }, (_, k) => (k * Math.PI) / 8);
    return { points: around.map((a) => [half * Math.cos(a), half * Math.sin(a), Math.cos(a), Math.sin(a)]), pairs: around.slice(1).map((_, k) => [k, k + 1]) };
  }
  const corners = [[half, -thick], [half, thick], [-half, thick], [-half, -thick]]; // prettier-ignore
  const normals = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // prettier-ignore
  const points = corners.flatMap((c, k) => [[...c, ...normals[k]], [...corners[(k + 1) % 4], ...normals[k]]]);
  return { points, pairs: [0, 2, 4, 6].map((k) => [k, k + 1]) };
}

/** Points and directions along the cubics that have the places and directions of the sections (Hermite). */
function line(places, ways, steps) {
  const points = [];
  const tangents = [];
  steps.forEach((long, k) => {
    const [p, q] = [places[k], places[k + 1]];
    const [u, v] = [ways[k], ways[k + 1]].map((w) => w.clone().multiplyScalar(long));
    for (let i = k ? 1 : 0; i <= SAMPLES; i++) {
      const s = i / SAMPLES;
      const r = 1 - s;
      points.push(
        p.clone().multiplyScalar((1 + 2 * s) * r * r).addScaledVector(q, s * s * (3 - 2 * s))
          .addScaledVector(u, s * r * r).addScaledVector(v, -s * s * r),
      ); // prettier-ignore
      tangents.push(
        q.clone().sub(p).multiplyScalar(6 * s * r).addScaledVector(u, r * (1 - 3 * s)).addScaledVector(v, s * (3 * s - 2)).normalize(),
      ); // prettier-ignore
    }
  });
  return { points, tangents };
}

export class Sweep {
  constructor(beam, planar, half, thick, stuff) {
    Object.assign(this, { steps: beam.steps, planar, half });
    this.outline = outline(planar, half, thick);
    const rings = SAMPLES * beam.steps.length + 1;
    const each = this.outline.points.length;
    const geometry = new BufferGeometry();
    for (const name of ["position", "normal"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * rings * each), 3));
    const faces = [];
    for (let r = 0; r + 1 < rings; r++)
      for (const [a, b] of this.outline.pairs) {
        const [p, q, s, t] = [r * each + a, r * each + b, (r + 1) * each + a, (r + 1) * each + b];
        faces.push(p, q, s, q, t, s);
      }
    geometry.setIndex(faces);
    this.bar = new Mesh(geometry, stuff);
    this.bar.frustumCulled = false;
    const cap = planar ? new CylinderGeometry(half, half, 2 * thick, 32).rotateX(Math.PI / 2) : new SphereGeometry(half, 24, 16);
    this.caps = [0, 1].map(() => new Mesh(cap, stuff));
    this.mesh = new Group();
    this.mesh.add(this.bar, ...this.caps);
  }

  /** Through sections: objects with a position, and x along the beam. */
  put(sections) {
    const places = sections.map((s) => s.position);
    const { points, tangents } = line(places, sections.map((s) => X.clone().applyQuaternion(s.quaternion)), this.steps);
    const { position, normal } = this.bar.geometry.attributes;
    let side = this.planar ? null : sideways(tangents[0]);
    let at = 0;
    points.forEach((p, k) => {
      const t = tangents[k];
      if (this.planar) side = Z.clone().cross(t);
      else if (k) side.applyQuaternion(new Quaternion().setFromUnitVectors(tangents[k - 1], t));
      const up = t.clone().cross(side);
      for (const [u, v, m, n] of this.outline.points) {
        position.setXYZ(at, p.x + u * side.x + v * up.x, p.y + u * side.y + v * up.y, p.z + u * side.z + v * up.z);
        normal.setXYZ(at, m * side.x + n * up.x, m * side.y + n * up.y, m * side.z + n * up.z);
        at++;
      }
    });
    position.needsUpdate = true;
    normal.needsUpdate = true;
    this.bar.geometry.boundingSphere = null; // of another shape
    this.caps[0].position.copy(places[0]);
    this.caps[1].position.copy(places.at(-1));
  }
}

function sideways(way) {
  const other = Math.abs(way.z) < 0.9 ? Z : X;
  return other.clone().cross(way).normalize();
}
