// The scene in three dimensions: camera, light, floor, the mechanism and its forces.
import {
  AmbientLight, ArrowHelper, Color, DirectionalLight, GridHelper, Group, HemisphereLight, OrthographicCamera, Raycaster,
  Scene, Vector2, Vector3, WebGLRenderer,
} from "three"; // prettier-ignore
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { at } from "./data.js";
import { Sweep } from "./beam.js";
import { Coil, COLOURS, STEEL, bearing, body, gauge, journal, material, rails, support, vector } from "./shapes.js";
import { stops } from "./stops.js";

const GHOST = 0x8a949d;
const FORCE = 0xc23b22;
const MOMENTS = 80; // of the motion, to see how far it goes

/** A part that is named under the pointer. */
function about(text, part) {
  part.userData.about = text;
  return part;
}

const described = (joint) => `${joint.kind} joint ${joint.name}, ${joint.journal} in ${joint.bearing}: ${joint.fit}`;

export class Stage {
  constructor(box, tip, scene, motion, ghost, channels) {
    Object.assign(this, { box, scene, motion, ghost, channels });
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    box.append(this.renderer.domElement);
    this.world = new Scene();
    this.root = new Group();
    this.root.scale.setScalar(1 / scene.size);
    this.world.add(this.root);
    this.camera = new OrthographicCamera(-1, 1, 1, -1, -50, 50);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.draw());
    this.light();
    this.sizes = gauge(scene);
    this.bores = [];
    this.arrows = [];
    this.frames = this.build(false);
    this.ghosts = ghost ? this.build(true) : [];
    this.beams = this.bend(this.frames, false);
    this.paleBeams = ghost ? this.bend(this.ghosts, true) : [];
    this.springs = scene.springs.map((s) => {
      const coil = new Coil(1.2 * this.sizes.link, 0x5b6670);
      coil.line.userData.about = `spring ${s.name}`;
      this.root.add(coil.line);
      return { ...s, coil };
    });
    this.pushes();
    this.magnify = 0;
    this.extent = [1, 1];
    new ResizeObserver(() => this.resize()).observe(box);
    this.ray = new Raycaster();
    this.ray.params.Line.threshold = 0.01;
    box.addEventListener("pointermove", (e) => this.hint(e, tip));
    box.addEventListener("pointerleave", () => (tip.hidden = true));
  }

  /** What is under a place of the window: the name of a body, joint or spring, "" where nothing is. */
  named(x, y) {
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect();
    this.ray.setFromCamera(new Vector2((2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height), this.camera);
    for (const { object } of this.ray.intersectObjects(this.root.children, true))
      for (let part = object; part; part = part.parent) if (part.userData.about) return part.userData.about;
    return "";
  }

  hint(e, tip) {
    const text = e.buttons ? "" : this.named(e.clientX, e.clientY);
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = `${Math.max(0, Math.min(e.clientX + 12, this.box.getBoundingClientRect().right - tip.offsetWidth - 8))}px`;
    tip.style.top = `${e.clientY + 16}px`;
  }

  light() {
    this.world.add(new AmbientLight(0xffffff, 0.6), new HemisphereLight(0xffffff, 0x8899aa, 0.9));
    this.sun = new DirectionalLight(0xffffff, 1.5);
    this.world.add(this.sun, this.sun.target);
    this.grid = new GridHelper(4, 40, 0xb8c2cc, 0xe1e6ea);
    const { middle, size, planar, gravity } = this.scene;
    if (planar) {
      this.grid.rotation.x = Math.PI / 2;
      this.grid.position.set(middle[0] / size, middle[1] / size, -0.4);
    } else {
      const g = gravity ? vector(gravity) : new Vector3();
      const up = g.length() > 0 ? g.normalize().negate() : new Vector3(0, 0, 1);
      this.up = up;
      this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
      this.grid.position.copy(vector(middle)).divideScalar(size).addScaledVector(up, -this.scene.low / size - 0.05);
    }
    this.world.add(this.grid);
  }

  /** Every body with its pins and bores, then the sections of beams; a ghost is grey, pale and without feet. */
  build(ghost) {
    const { scene, sizes, root } = this;
    const ground = new Group();
    const owners = this.motion.poses.map((_, k) => scene.beams.find((b) => b.frames.includes(k))?.body ?? k);
    const groups = owners.map((owner, k) => {
      const group = new Group();
      const entry = scene.bodies[k];
      if (entry && !entry.beam) group.add(about(`body ${entry.name}`, body(entry, scene, sizes, ghost ? GHOST : COLOURS[k % COLOURS.length])));
      // in the plane bodies lie behind one another, as they do in a drawing
      group.position.z = scene.planar ? (owner % 3) * 1.1 * sizes.link : 0;
      root.add(group);
      return group;
    });
    const of = (frame) => groups[frame] ?? ground;
    for (const joint of scene.joints) {
      const text = described(joint);
      if (!joint.slides) of(joint.frame_i).add(about(text, journal(joint, sizes, scene.planar, this.colour(joint.journal))));
      if (ghost) continue;
      const held = { colour: this.colour(joint.bearing), parent: of(joint.frame_j) };
      if (joint.slides) held.parent.add(about(text, rails(joint, scene, sizes, held.colour)));
      else this.bores.push({ joint, ...held, mesh: null });
      if (joint.frame_j < 0 && !joint.slides && joint.kind !== "contact") ground.add(about(text, support(joint, scene, sizes)));
      const { journal: moving, bearing: fixed } = stops(joint, sizes, scene.planar);
      of(joint.frame_i).add(about(`stop of ${text}`, moving));
      held.parent.add(about(`stop of ${text}`, fixed));
    }
    if (ghost)
      for (const group of groups)
        group.traverse((x) => {
          x.userData.about = "";
          if (x.material) x.material = material(GHOST, 0.25);
        });
    else root.add(ground);
    return groups;
  }

  /** Bars along the beams of these frames. */
  bend(frames, ghost) {
    const { scene, sizes } = this;
    return scene.beams.map((beam) => {
      const half = Math.min(Math.max(beam.half, 0.45 * sizes.link), sizes.link);
      const stuff = ghost ? material(GHOST, 0.25) : material(COLOURS[beam.body % COLOURS.length]);
      const sweep = new Sweep(beam, scene.planar, half, 0.5 * sizes.link, stuff);
      if (!ghost) about(`beam ${beam.name}`, sweep.mesh);
      this.root.add(sweep.mesh);
      return { sweep, sections: beam.frames.map((k) => frames[k]) };
    });
  }

  colour(name) {
    const k = this.scene.bodies.findIndex((b) => b.name === name);
    return k < 0 ? STEEL : COLOURS[k % COLOURS.length];
  }

  pushes() {
    for (const joint of this.scene.joints) {
      if (!joint.force) continue;
      const parts = joint.force.map((name) => this.channels.get(name));
      if (parts.some((p) => !p)) continue;
      const arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1, FORCE);
      arrow.visible = false;
      this.world.add(arrow);
      this.arrows.push({ joint, parts, arrow });
    }
    this.measure();
  }

  /** How long a newton is drawn. */
  measure() {
    const biggest = Math.max(...this.arrows.flatMap(({ parts }) => parts.map((p) => p.largest)), 1e-300);
    this.newton = 0.5 / biggest;
  }

  /** Other curves of forces, other play in joints. */
  replace(channels) {
    this.channels = channels;
    for (const arrow of this.arrows) arrow.parts = arrow.joint.force.map((name) => channels.get(name));
    this.measure();
    this.magnify = 0;
  }

  /** Bores as wide as the clearance is drawn. */
  widen(magnify) {
    if (magnify === this.magnify) return;
    this.magnify = magnify;
    for (const bore of this.bores) {
      if (bore.mesh && !bore.joint.loose) continue;
      if (bore.mesh) {
        bore.parent.remove(bore.mesh);
        bore.mesh.traverse((part) => part.geometry?.dispose());
      }
      bore.mesh = about(described(bore.joint), bearing(bore.joint, this.sizes, this.scene.planar, magnify * bore.joint.gap, bore.colour));
      bore.parent.add(bore.mesh);
    }
  }

  /** The mechanism at time t. */
  show(t, { magnify, forces, ghost }) {
    this.widen(magnify);
    this.frames.forEach((group, k) => this.motion.put(group, k, t, magnify));
    for (const { sweep, sections } of this.beams) sweep.put(sections);
    this.ghosts.forEach((group, k) => {
      group.visible = ghost;
      if (ghost) this.ghost.put(group, k, Math.min(t, this.ghost.end), magnify);
    });
    for (const { sweep, sections } of this.paleBeams) {
      sweep.mesh.visible = ghost;
      if (ghost) sweep.put(sections);
    }
    this.root.updateMatrixWorld(true);
    const place = (frame, point) => {
      const p = vector(point);
      return frame < 0 ? p : p.applyQuaternion(this.frames[frame].quaternion).add(this.frames[frame].position);
    };
    for (const s of this.springs) s.coil.put(place(s.frame_i, s.point_i), place(s.frame_j, s.point_j));
    for (const { joint, parts, arrow } of this.arrows) {
      const push = new Vector3(...parts.map((p) => at(p.t, p.x, t)));
      arrow.visible = forces && push.length() * this.newton > 0.01;
      if (!arrow.visible) continue;
      arrow.position.copy(place(joint.frame_i, joint.point_i)).divideScalar(this.scene.size);
      arrow.position.z += this.scene.planar ? 0.3 : 0;
      const long = push.length() * this.newton;
      arrow.setDirection(push.normalize());
      arrow.setLength(long, Math.min(0.06, 0.4 * long), Math.min(0.035, 0.25 * long));
    }
    this.draw();
  }

  draw() {
    // light comes over the viewer's left shoulder
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.sun.target.position.copy(this.controls.target);
    this.sun.position.copy(this.camera.position).addScaledVector(right, -4).addScaledVector(up, 5);
    this.renderer.render(this.world, this.camera);
  }

  /** Look from a side: front, back, left, right, top or corner. */
  look(side) {
    const { planar } = this.scene;
    const up = planar ? new Vector3(0, 1, 0) : this.up;
    const east = planar ? new Vector3(1, 0, 0) : Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    east.addScaledVector(up, -east.dot(up)).normalize();
    const out = east.clone().cross(up);
    const ways = { front: out, back: out.clone().negate(), right: east, left: east.clone().negate(), top: up.clone() };
    const corner = out.clone().addScaledVector(up, 0.55).addScaledVector(east, 0.75);
    this.camera.up.copy(side === "top" ? out.clone().negate() : up);
    const towards = (ways[side] ?? corner).normalize();
    const middle = this.frameMotion(towards);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(towards, 10);
    this.camera.zoom = 1;
    this.fit();
    this.controls.update();
    this.draw();
  }

  /** How wide and high the whole motion is seen from a direction; gives the middle of it. */
  frameMotion(towards) {
    const right = this.camera.up.clone().cross(towards).normalize();
    const axes = [right, towards.clone().cross(right), towards];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const object = new Group();
    const see = (p) => axes.forEach((a, k) => {
      low[k] = Math.min(low[k], p.dot(a));
      high[k] = Math.max(high[k], p.dot(a));
    });
    const { joints, size } = this.scene;
    for (const joint of joints) if (joint.frame_j < 0) see(vector(joint.point_j));
    this.frames.forEach((_, k) => {
      const held = joints.flatMap((j) => [...(j.frame_i === k ? [j.point_i] : []), ...(j.frame_j === k ? [j.point_j] : [])]);
      for (let i = 0; i <= MOMENTS; i++) {
        this.motion.put(object, k, this.motion.start + ((this.motion.end - this.motion.start) * i) / MOMENTS, 1);
        for (const p of [[0, 0, 0], ...held]) see(vector(p).applyQuaternion(object.quaternion).add(object.position));
      }
    });
    // room for what is drawn around these points
    this.extent = [0, 1].map((k) => (0.5 * (high[k] - low[k]) + 5 * this.sizes.link) / size + 0.03);
    return axes.reduce((sum, a, k) => sum.addScaledVector(a, (0.5 * (low[k] + high[k])) / size), new Vector3());
  }

  fit() {
    const { clientWidth: w, clientHeight: h } = this.box;
    const [wide, high] = this.extent;
    const half = Math.max(high, (wide * h) / Math.max(w, 1));
    this.camera.top = half;
    this.camera.bottom = -half;
    this.camera.left = (-half * w) / h;
    this.camera.right = (half * w) / h;
    this.camera.updateProjectionMatrix();
  }

  resize() {
    this.renderer.setSize(this.box.clientWidth, this.box.clientHeight, false);
    this.fit();
    this.draw();
  }

  theme(dark) {
    this.world.background = new Color(dark ? 0x14181c : 0xf7f9fa);
    this.grid.material.vertexColors = false;
    this.grid.material.color = new Color(dark ? 0x2a3138 : 0xdde3e8);
    this.grid.material.needsUpdate = true;
    this.draw();
  }
}
