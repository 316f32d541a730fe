// Motion: pieces glide from where they were, and new ones make their entrance. What is shown in
// the end never depends on it.

import { pace, release, slowed } from "./pacing.js";
import { hear } from "./sounds.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const running = new Set();
const ways = new Map(); // by id, what was told to `lead`
const ASTRAY = 70; // so far a piece may stand from the middle of its place, in the drawing's units

/** Whether there is any point in animating now. */
export const still = () => calm.matches || document.hidden || document.documentElement.dataset.speed === "none";

/** Where everything that may move is now, to be given to `play` after the change. */
export function snapshot(root) {
  const places = new Map();
  for (const el of root.querySelectorAll("[data-move][id]")) places.set(el.id, centre(el));
  const entered = new Set();
  for (const el of root.querySelectorAll("[data-enter]")) entered.add(el.id || el);
  return { places, entered };
}

/** Animate from a snapshot to how `root` is now; resolves when all is at rest. */
export async function play(root, before) {
  const moved = new Map();
  const begun = [];
  const begin = (el, animation) => animation && begun.push({ el, animation });
  for (const el of root.querySelectorAll("[data-move][id]")) begin(el, glide(el, before.places.get(el.id), moved));
  for (const el of root.querySelectorAll("[data-enter]")) {
    if (!before.entered.has(el.id || el)) begin(el, enter(el));
  }
  ways.clear();
  const animations = begun.map(({ animation }) => animation);
  animations.forEach((one) => running.add(one));
  const pacer = root.querySelector("[data-pacer]");
  for (const { el } of begun) if (el.dataset.heard && !(pacer && el.dataset.beat)) hear(el.dataset.heard, delayOf(el));
  const away = zoom(root, begun);
  await pace(pacer, begun);
  await Promise.allSettled(animations.map((one) => one.finished));
  await away();
  animations.forEach((one) => running.delete(one));
}

// Bring the place of what is told in beats close (`data-zoom`); the function that is returned lets
// it go again.
function zoom(root, begun) {
  const close = begun.find(({ el }) => el.dataset.beat && el.closest("[data-zoom]"))?.el.closest("[data-zoom]");
  if (!close) return () => {};
  const [x, y, scale] = close.dataset.zoom.split(" ").map(Number);
  const svg = close.ownerSVGElement;
  const { left, top, width, height } = svg.getBoundingClientRect();
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  const transformOrigin = `${(100 * (at.x - left)) / width}% ${(100 * (at.y - top)) / height}%`;
  const frames = [{ transform: "none", transformOrigin }, { transform: `scale(${scale})`, transformOrigin }];
  const nearer = svg.animate(frames, { duration: token("--glide", 360), easing: "ease-in-out", fill: "both" });
  root.classList.add("zoomed");
  return async () => {
    nearer.reverse();
    running.add(nearer);
    await nearer.finished.catch(() => {});
    running.delete(nearer);
    nearer.cancel();
    root.classList.remove("zoomed");
  };
}

/** Let what is new in `root` be heard where nothing may move; resolves at once. */
export function sound(root, before) {
  for (const el of root.querySelectorAll("[data-enter][data-heard]")) {
    if (!before.entered.has(el.id || el)) hear(el.dataset.heard, slowed(Number(el.dataset.delay) || 0));
  }
}

/** The elements with these ids (see `data-walk`) next move by way of these points. */
export function lead({ walk, way }) {
  const points = way.split(" ").map((point) => point.split(",").map(Number));
  for (const id of walk.split(" ")) ways.set(id, points);
}

/** Bring everything to its end at once. */
export function skip() {
  for (const one of running) one.finish();
  release();
}

const token = (name, fallback) =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || fallback;

const delayOf = (el) => slowed(Math.min(Number(el.dataset.delay) || 0, 3000));

/** The middle of an element, in the window. */
export function centre(el) {
  const box = el.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// A vector on the screen, in the coordinates of the element's parent.
function local(el, vector) {
  const matrix = el.parentNode.getScreenCTM?.();
  if (!(el instanceof SVGElement) || !matrix) return vector;
  const { a, b, c, d } = matrix.inverse();
  return { x: a * vector.x + c * vector.y, y: b * vector.x + d * vector.y };
}

function glide(el, from, moved) {
  if (!from) return null;
  const to = centre(el);
  const carried = moved.get(el.parentNode.closest("[data-move][id]")) ?? { x: 0, y: 0 };
  const whole = { x: from.x - to.x, y: from.y - to.y };
  moved.set(el, whole);
  const { x, y } = local(el, { x: whole.x - carried.x, y: whole.y - carried.y });
  if (Math.hypot(x, y) < 0.5) return null;
  const frames = [{ x, y }, ...between(el.id, { x, y }), { x: 0, y: 0 }].map((at) => ({ translate: `${at.x}px ${at.y}px` }));
  const duration = token("--glide", 360) * Math.min(4, 1 + (frames.length - 2) * 0.7);
  return el.animate(frames, { duration, delay: delayOf(el), easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" });
}

// The stops on the way, as offsets from its end, if the way is indeed the one that was gone.
function between(id, from) {
  const points = ways.get(id) ?? [];
  const [endX, endY] = points.at(-1) ?? [0, 0];
  const stops = points.map(([px, py]) => ({ x: px - endX, y: py - endY }));
  const fits = stops.length && Math.hypot(stops[0].x - from.x, stops[0].y - from.y) < ASTRAY;
  return fits ? stops.slice(1, -1) : [];
}

const ease = (t) => 1 - (1 - t) ** 3;
const spring = (t) => 1 - Math.cos(t * 7) * (1 - t) ** 2;

// How an entrance looks at t from 0 to 1: offset, angle, scale, opacity.
const ENTRANCES = {
  pop: (t) => ({ k: spring(t), o: 3 * t }),
  turn: (t) => ({ kx: Math.sin((t * Math.PI) / 2) }),
  roll: (t) => ({ x: -90 * (1 - ease(t)), angle: -400 * (1 - ease(t)), o: 4 * t }),
  fly: (t) => ({ y: -150 * (1 - ease(t)), o: 3 * t }),
  shock: (t) => ({ k: 1 + 0.9 * (1 - ease(t)), angle: 16 * Math.sin(t * 22) * (1 - t), o: 5 * t }),
};
const SAMPLES = 16;

function enter(el) {
  const options = { duration: token("--scene", 600) * 0.6, delay: delayOf(el), fill: "backwards" };
  if (el.dataset.enter === "draw") return draw(el, options);
  const look = ENTRANCES[el.dataset.enter] ?? ENTRANCES.pop;
  const pivot = el instanceof SVGElement ? pivotOf(el) : { x: 0, y: 0 };
  const opacity = Number(getComputedStyle(el).opacity);
  const frames = Array.from({ length: SAMPLES + 1 }, (_, i) => keyframe(look(i / SAMPLES), pivot, opacity));
  return el.animate(frames, options);
}

// The middle of an element of a drawing, in its parent's coordinates.
function pivotOf(el) {
  const matrix = el.parentNode.getScreenCTM?.();
  if (!matrix) return { x: 0, y: 0 };
  const { x, y } = centre(el);
  return new DOMPoint(x, y).matrixTransform(matrix.inverse());
}

// Turn and scale about the pivot, although a drawing's own origin is the corner of its view.
function keyframe({ x = 0, y = 0, angle = 0, k = 1, kx = k, o = 1 }, pivot, opacity) {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [px, py] = [kx * pivot.x, k * pivot.y];
  const dx = x + pivot.x - (cos * px - sin * py);
  const dy = y + pivot.y - (sin * px + cos * py);
  return {
    translate: `${dx}px ${dy}px`,
    rotate: `${angle}deg`,
    scale: `${kx} ${k}`,
    opacity: Math.min(1, o) * opacity,
  };
}

function draw(el, options) {
  if (!el.getTotalLength) return null;
  const length = el.getTotalLength();
  const frames = [
    { strokeDasharray: `${length} ${length}`, strokeDashoffset: length },
    { strokeDasharray: `${length} ${length}`, strokeDashoffset: 0 },
  ];
  return el.animate(frames, { ...options, easing: "ease-out" });
}
