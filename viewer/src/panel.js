// Buttons, sliders and their keys. All text goes in as text, so names from a model are never markup.
const KEYS = `space  play, pause
n, p   next contact, the one before
← →    a thousandth of the run
f      forces
d      dark or light
scene  drag turns it, right button moves it, wheel zooms; names under the pointer
plots  click goes there, drag zooms in, double click shows all`;

export function make(tag, props = {}, ...inside) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...inside);
  return node;
}

export function labelled(text, ...inside) {
  return make("label", {}, make("span", { textContent: text }), ...inside);
}

/** A factor on a slider that is logarithmic, 1 at the left. */
function factor(most, value) {
  return make("input", { type: "range", min: 0, max: 1000, value: (1000 * Math.log(value)) / Math.log(most) });
}

export function panel(root, scene) {
  document.title = scene.title;
  const parts = {
    stage: make("div", { className: "stage" }),
    orbit: make("canvas", { className: "orbit" }),
    caption: make("p", { className: "caption" }),
    plots: make("div", { className: "plots" }),
    strip: make("canvas", { className: "strip" }),
    tip: make("div", { className: "tip", hidden: true }),
    slider: make("input", { type: "range", min: 0, max: 1000, step: "any", value: 0, className: "time", ariaLabel: "time" }),
    clock: make("output", { className: "clock" }),
    play: make("button", { textContent: "▶", title: "play (space)", className: "play" }),
  };
  const most = Math.max(2, scene.most);
  const magnify = factor(most, scene.magnify);
  const magnified = make("output");
  const told = make("p", { className: "told" });
  parts.factor = (k) => {
    magnified.textContent = `${+k.toPrecision(2)}×`;
    told.textContent = scene.magnified ? `${scene.magnified} drawn ${magnified.textContent}` : "";
  };
  const slow = make("select", { ariaLabel: "slow motion" });
  for (const times of scene.speeds) slow.add(new Option(times >= 1 ? `1/${+times.toPrecision(3)}` : `${+(1 / times).toPrecision(3)}×`, times, false, times === scene.slow));
  const back = make("button", { textContent: "◂ contact", title: "contact before (p)" });
  const next = make("button", { textContent: "contact ▸", title: "next contact (n)" });
  const forces = make("input", { type: "checkbox" });
  const ghost = make("input", { type: "checkbox", checked: true });
  const sides = make("select", { ariaLabel: "look from" });
  for (const side of ["front", "back", "left", "right", "top", "corner"]) sides.add(new Option(side, side, false, side === (scene.planar ? "front" : "corner")));
  const dark = make("button", { textContent: "◐", title: "dark or light (d)", ariaLabel: "dark or light" });
  const joint = make("select", { ariaLabel: "joint" });
  const loose = scene.joints.filter((j) => scene.tape.offsets[j.name]);
  for (const j of loose) joint.add(new Option(j.name, j.name));
  const more = make("button", { textContent: "+ plot" });

  const facts = make("details", { className: "facts" }, make("summary", { textContent: "how far to trust it" }), make("pre", { textContent: scene.evidence }));
  const keys = make("details", { className: "facts" }, make("summary", { textContent: "keys and mouse" }), make("pre", { textContent: KEYS }));
  const side = make("aside", {}, parts.plots, more, facts, keys);
  if (loose.length) side.prepend(make("section", { className: "orbits" }, labelled("journal in", joint), parts.orbit, parts.caption));
  const controls = make("div", { className: "controls" }, back, parts.play, next, labelled("speed", slow), parts.clock);
  back.disabled = next.disabled = !scene.contacts.length;
  parts.strip.hidden = !scene.contacts.length && scene.horizon === null;
  if (scene.most > 1) controls.append(Object.assign(labelled("magnify", magnify, magnified), { title: `${scene.magnified} so many times as large as it is` }));
  controls.append(labelled("forces", forces));
  if (scene.ghost) controls.append(labelled(scene.ghost.title, ghost));
  parts.stage.append(told);
  root.append(
    make("header", { className: "top" }, make("h1", { textContent: scene.title }, make("small", { textContent: scene.live ? `the model: ${scene.subtitle}` : scene.subtitle })), labelled("seen from", sides), dark),
    make("main", {}, make("div", { className: "left" }, parts.stage, parts.strip, parts.slider, controls), side),
    parts.tip,
  );

  const factorOf = () => Math.exp((Number(magnify.value) / 1000) * Math.log(most));
  parts.wire = (viewer) => {
    parts.slider.oninput = () => viewer.seek(viewer.span[0] + (Number(parts.slider.value) / 1000) * (viewer.span[1] - viewer.span[0]));
    parts.play.onclick = () => viewer.play(!viewer.state.playing);
    back.onclick = () => viewer.jump(-1);
    next.onclick = () => viewer.jump(1);
    slow.onchange = () => viewer.set({ slow: Number(slow.value) });
    magnify.oninput = () => viewer.set({ magnify: factorOf() });
    forces.onchange = () => viewer.set({ forces: forces.checked });
    ghost.onchange = () => viewer.set({ ghost: ghost.checked });
    sides.onchange = () => viewer.stage.look(sides.value);
    dark.onclick = () => viewer.theme(document.documentElement.dataset.theme !== "dark");
    joint.onchange = () => {
      viewer.orbit.chosen = viewer.orbit.joints.find((j) => j.name === joint.value);
      viewer.go(viewer.t);
    };
    more.onclick = () => {
      viewer.plots.add(viewer.channels.keys().next().value);
      viewer.go(viewer.t);
    };
    window.addEventListener("resize", () => {
      viewer.plots.redraw();
      viewer.go(viewer.t);
    });
    // a list that was used, or a box, gives the keys back
    root.addEventListener("change", (e) => e.target.blur());
    window.addEventListener("keydown", (e) => {
      const { tagName, type } = document.activeElement ?? {};
      if (tagName === "SELECT" || e.ctrlKey || e.metaKey || e.altKey) return;
      // what the box or the button itself does with this key
      if (type === "range" && e.key.startsWith("Arrow")) return;
      if ((type === "checkbox" || tagName === "BUTTON" || tagName === "SUMMARY") && e.key === " ") return;
      const frame = (viewer.span[1] - viewer.span[0]) / 1000;
      const keys = {
        " ": () => viewer.play(!viewer.state.playing), n: () => viewer.jump(1), p: () => viewer.jump(-1), d: () => dark.click(),
        f: () => forces.click(), ArrowRight: () => viewer.seek(viewer.t + frame), ArrowLeft: () => viewer.seek(viewer.t - frame),
      }; // prettier-ignore
      if (keys[e.key]) {
        e.preventDefault();
        keys[e.key]();
      }
    });
  };
  return parts;
}
