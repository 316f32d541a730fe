// The stage: the decisive moments of a frame are shown at large size over the board, before the frame
// itself. A game's scenes come in one file. Under reduced motion a scene stands still at its peak, over a
// board that has gone on already; what is shown in the end never depends on any of it.

import { still } from "./motion.js";
import { slowed } from "./pacing.js";
import { released } from "./press.js";
import { fade, hear } from "./sounds.js";

const MOST = 3; // moments of one frame that are staged: the last ones
const STILL = 1400; // milliseconds that a scene stands still, where nothing may move
const END = / id="ending"/; // of what is asked, once the game is over
const PATIENCE = 10000; // milliseconds that the scenes may take to come
const FOLDED = ":root.folded"; // the board, on a phone: the screen in the middle stages it
const SMALLEST = 160; // pixels of the board that must be in the window for a scene to stand there

const page = document.querySelector("[data-scenes]");
const state = { ply: parseInt(page?.dataset.have, 10) || 0, art: null, fetched: null, end: null, heard: [], over: Boolean(document.getElementById("ending")) };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Fetch the scenes, and let whoever has seen enough end one. */
export function start() {
  if (!page) return;
  addEventListener("click", barred, true);
  addEventListener("click", (event) => inPlay(event) && leave());
  addEventListener("keydown", ({ key, target }) => (key === "Escape" || (target === document.body && [" ", "Enter"].includes(key))) && leave());
  addEventListener("pointerdown", () => putAway(document.querySelector(".stage.still")), true);
  state.fetched = fetched();
}

async function fetched() {
  const answer = await fetch(page.dataset.scenes, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (!answer?.ok) return;
  const file = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  state.art = document.importNode(file.documentElement, true);
  const sprite = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sprite.classList.add("sprite");
  sprite.setAttribute("aria-hidden", "true");
  sprite.append(...state.art.querySelectorAll(":scope > defs"));
  document.body.append(sprite);
}

/** Whether a scene moves now. */
export const staging = () => Boolean(state.end);

/** End it. */
export const leave = () => state.end?.();

/** Whether a frame brings the end of the game, which the page did not show before. */
export function ends({ regions }) {
  if (regions.ask === undefined) return false;
  const before = state.over;
  state.over = END.test(regions.ask);
  return state.over && !before;
}

/** Resolves when the page is looked at. */
export const sighted = () =>
  new Promise((done) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      done();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });

/**
 * Stage what a frame tells that was not shown yet: a promise, or null if nothing moves. What comes
 * late or is past is not staged; the `last` of it, the end of a game, is, as soon as it can be.
 */
export function stage(frame, late, last) {
  const told = unseen(frame, last);
  if (!told.length || late || document.hidden || document.querySelector(FOLDED)) return null;
  if (state.art) return staged(told, frame);
  return last ? state.fetched?.then(() => state.art && staged(told, frame)) : null;
}

const staged = (told, frame) => (still() ? stand(told, frame) : perform(told, frame));

/** A scene with its words, at `time` or (undefined) moving. */
export function show(name, words, line = "", time) {
  document.querySelector(".stage")?.remove();
  const drawn = state.art.querySelector(`[data-scene="${CSS.escape(name)}"]`)?.cloneNode(true);
  if (!drawn?.firstChild) return { drawn, animations: [] };
  drawn.querySelectorAll("[data-put]").forEach((el) => put(el, words[el.dataset.put] ?? ""));
  const place = Object.assign(document.createElement("div"), { className: "stage" });
  place.setAttribute("aria-hidden", "true");
  place.append(drawn);
  const said = Object.assign(document.createElement("p"), { className: "stage-line", textContent: line });
  if (line) place.append(said);
  document.body.append(place);
  settle(place);
  const [lasts, peak] = [Number(drawn.dataset.lasts), Number(drawn.dataset.peak)];
  const animations = [...drawn.querySelectorAll("[data-act]")].map((el) => act(el, lasts));
  if (line) animations.push(said.animate({ opacity: [0, 0, 1, 1], offset: [0, (0.7 * peak) / lasts, peak / lasts, 1] }, { duration: lasts, fill: "both" }));
  for (const one of animations) {
    one.updatePlaybackRate(1 / slowed(1));
    if (time === undefined) continue;
    one.pause();
    one.currentTime = time;
  }
  return { drawn, animations, place };
}

// What the frame tells of plies after those that were shown: its ply, its scene, words for it; nothing
// where the page has just been opened, or of what it has missed but the end. A replay, which may go
// back, is told of no others.
function unseen(frame, last) {
  const told = (frame.regions.moments ?? "").split(";").filter(Boolean).map((one) => one.split(" "));
  const fresh = told.filter(([ply]) => !page?.dataset.have || Number(ply) > state.ply);
  state.ply = Math.max(state.ply, frame.ply ?? 0);
  if (!frame.past) return fresh.slice(-MOST);
  return last ? fresh.filter(([ply]) => Number(ply) === frame.ply).slice(-1) : [];
}

async function perform(told, frame) {
  let left = false;
  const done = new Promise((go) => (state.end = () => go((left = true))));
  for (const [ply, name, ...words] of told) {
    if (left) break;
    const { drawn, animations, place } = show(name, words, lineOf(frame, ply));
    sounds(drawn);
    await Promise.race([done, Promise.allSettled(animations.map((one) => one.finished))]);
    await putAway(place);
  }
  state.end = null;
}

// Nobody waits for it: a click goes to what lies below, and takes the picture away. Of several scenes
// the last one is shown, and heard alone. Where changes come at once, none is.
function stand(told, frame) {
  if (!calm.matches || document.documentElement.dataset.speed === "none") return null;
  const [ply, name, ...words] = told.at(-1);
  const drawn = state.art.querySelector(`[data-scene="${CSS.escape(name)}"]`);
  sounds(drawn);
  const { place } = show(name, words, lineOf(frame, ply), Number(drawn?.dataset.peak));
  place?.classList.add("still");
  setTimeout(() => putAway(place), STILL);
  return null;
}

// Where it goes the page may get another layout.
async function putAway(place) {
  if (place?.isConnected) quiet();
  await released();
  place?.remove();
}

// What a scene lets be heard: no longer than it is shown, nor with another one. Where scenes are fast,
// a sound is longer than its scene.
function sounds(drawn) {
  quiet();
  const cues = (drawn?.dataset.heard ?? "").split(";").filter(Boolean);
  state.heard = cues.map((cue) => {
    const [name, at] = cue.split(" ");
    return hear(name, slowed(Number(at)));
  });
}

/** Let nothing more be heard of a scene. */
export function quiet() {
  state.heard.splice(0).forEach(fade);
}

function put(el, word) {
  if (el.localName === "use") el.setAttribute("href", el.getAttribute("href") + word);
  else if (el.localName === "text") el.textContent = word;
  else if (el.localName === "path") el.setAttribute("d", word);
  else el.classList.add(`seat-${word}`);
}

// Key frames: at, x, y, turn, wide, high, shown; before the first and after the last it stays so.
// A path is drawn from its beginning, as far as `wide` says.
function act(el, lasts) {
  const keys = el.dataset.act.split(";").map((key) => key.split(" ").map(Number));
  const all = [[0, ...keys[0].slice(1)], ...keys.filter(([at]) => at > 0 && at < lasts), [lasts, ...keys.at(-1).slice(1)]];
  const frames = all.map(([at, x, y, turn, wide, high, opacity]) => ({
    offset: at / lasts,
    ...(el.localName === "path" ? { strokeDashoffset: 1 - wide } : { transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${wide}, ${high})` }),
    opacity,
    easing: "cubic-bezier(.4,0,.3,1)",
  }));
  return el.animate(frames, { duration: lasts, fill: "both" });
}

// Over the part of the board that is in the window, or at its top if that is too little.
function settle(place) {
  const board = document.querySelector(".board")?.getBoundingClientRect() ?? { left: 0, width: innerWidth, top: 0, bottom: 0 };
  const [top, bottom] = [Math.max(0, board.top), Math.min(innerHeight, board.bottom)];
  const seen = bottom - top >= SMALLEST;
  const box = { left: board.left, width: board.width, top: seen ? top : 0, height: seen ? bottom - top : board.width * 0.7 };
  for (const [side, size] of Object.entries(box)) place.style[side] = `${size}px`;
}

// The first sentence that the frame's log has of a ply.
function lineOf(frame, ply) {
  const holder = document.createElement("template");
  holder.innerHTML = frame.regions.log ?? "";
  const line = holder.content.getElementById(`log-${ply}-0`);
  line?.querySelectorAll("a").forEach((link) => link.remove());
  return line?.textContent.trim() ?? "";
}

const inPlay = ({ target }) => target.closest?.(".board, .ask");

// A press on the board or on what is asked ends a scene. What may be decided there it decides first,
// but no more: who presses to see the board tries nothing.
function barred(event) {
  if (!staging() || !inPlay(event) || event.target.closest(".can, .ask")) return;
  event.stopPropagation();
  leave();
}
