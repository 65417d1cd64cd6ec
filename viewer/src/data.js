// What a page carries: a description in JSON and one compressed block of numbers.
// Every array is written by bytes of equal weight (all first bytes, all second ...), which compresses well.

/** Bytes of a base64 text, inflated. */
export async function inflate(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function unshuffle(bytes, at, count, width) {
  const out = new Uint8Array(count * width);
  for (let k = 0; k < width; k++)
    for (let i = 0; i < count; i++) out[i * width + k] = bytes[at + k * count + i];
  return out.buffer;
}

/** The array behind a reference {at, count, kind, low, high}. */
export function decode(bytes, ref) {
  if (ref.kind === "f4") return new Float32Array(unshuffle(bytes, ref.at, ref.count, 4));
  if (ref.kind === "f8") return new Float64Array(unshuffle(bytes, ref.at, ref.count, 8));
  if (ref.kind === "i4") return new Int32Array(unshuffle(bytes, ref.at, ref.count, 4));
  if (ref.kind === "u1") return bytes.slice(ref.at, ref.at + ref.count);
  // u2: steps between the least and the largest value, as differences
  const steps = new Uint16Array(unshuffle(bytes, ref.at, ref.count, 2));
  const out = new Float64Array(ref.count);
  const scale = (ref.high - ref.low) / 65535;
  let sum = 0;
  for (let i = 0; i < ref.count; i++) {
    sum = (sum + steps[i]) & 0xffff;
    out[i] = ref.low + scale * sum;
  }
  return out;
}

/** Index of the last entry that is not after t. */
export function before(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A series at time t, between its points. */
export function at(times, values, t) {
  const k = before(times, t);
  if (k >= times.length - 1 || t <= times[0]) return values[k];
  const span = times[k + 1] - times[k];
  return span > 0 ? values[k] + ((values[k + 1] - values[k]) * (t - times[k])) / span : values[k + 1];
}

/** At most four points per column of the screen: first, least, largest, last. No peak is lost. */
export function thin(times, values, from, to, columns) {
  const first = Math.max(0, before(times, from) - 1);
  const last = Math.min(times.length - 1, before(times, to) + 1);
  if (last - first < 4 * columns) return [times.slice(first, last + 1), values.slice(first, last + 1)];
  const t = [];
  const x = [];
  const step = (last - first + 1) / columns;
  for (let c = 0; c < columns; c++) {
    const a = Math.floor(first + c * step);
    const b = Math.min(last, Math.floor(first + (c + 1) * step) - 1);
    let low = a;
    let high = a;
    for (let i = a; i <= b; i++) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    for (const i of [...new Set([a, low, high, b])].sort((p, q) => p - q)) {
      t.push(times[i]);
      x.push(values[i]);
    }
  }
  return [t, x];
}

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

/** Units that take prefixes. */
export const PREFIXED = ["m", "s", "N", "Nm", "J", "W", "A", "V", "m/s", "Pa"];

/** A unit as it is printed. */
export const printed = (unit) => (unit === "1" ? "" : unit.replaceAll("^2", "²").replaceAll("^3", "³").replace("Nm", "N m"));

/** A number for people: four digits, with a prefix where the unit takes one. */
export function shown(value, unit) {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) < 1e-15) return `0 ${printed(unit)}`.trim();
  if (!PREFIXED.includes(unit)) {
    const text = Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3 ? value.toExponential(3) : String(+value.toPrecision(4));
    return `${text} ${printed(unit)}`.trim();
  }
  const [scale, prefix] = PREFIXES.find(([s]) => Math.abs(value) >= s) ?? PREFIXES.at(-1);
  return `${+(value / scale).toPrecision(4)} ${prefix}${printed(unit)}`;
}

/** A number for an axis: short, thousands as k. */
export function brief(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e9 || size < 1e-3) return value.toExponential(1).replace(".0e", "e");
  const [scale, letter] = size >= 1e6 ? [1e6, "M"] : size >= 1e4 ? [1e3, "k"] : [1, ""];
  return `${+(value / scale).toPrecision(4)}${letter}`;
}
