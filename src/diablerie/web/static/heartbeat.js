// The heartbeat: while a person may wake something, the picture beats as fast as everybody sees that
// it is dangerous, and stops dead before anything is turned over. It follows what the picture shows
// to all and nothing else: a stake in it would be heard by the others.
//   data-pulse   how dangerous the next step is, in percent
//   data-glow    what glows with each beat

import { onFrame } from "./frames.js";
import { still } from "./motion.js";
import { hear } from "./sounds.js";

const CALM = [19, 60]; // percent, beats a minute
const RACING = [40, 140];
const THUMP = [18, 150, 12]; // milliseconds: felt, not felt, felt

const { dataset } = document.documentElement;
let timer = 0;
let held = false; // a decision is on its way: the next picture is waited for in silence

/** Beat whenever the picture says so. */
export function start() {
  document.addEventListener("submit", ({ target }) => target.id === "decide" && hold());
  document.addEventListener("click", ({ target }) => target.closest("[data-region=board] [data-action]") && hold());
  onFrame(() => {
    held = false;
    next();
  });
  next();
}

/** How often it beats in a minute at so many percent. */
function rate(percent) {
  const slope = (RACING[1] - CALM[1]) / (RACING[0] - CALM[0]);
  return Math.max(40, Math.min(160, CALM[1] + slope * (percent - CALM[0])));
}

/** The percent by which it beats now, or null: never while a bot decides, or without sound or motion. */
function pulse() {
  const shown = document.querySelector("[data-region=board] [data-pulse]");
  const person = document.querySelector(".player.turn:not(.driven)");
  const silent = held || !dataset.sound || still() || document.body.classList.contains("moving");
  return shown && person && !silent ? Number(shown.dataset.pulse) : null;
}

function hold() {
  held = true;
}

function next() {
  clearTimeout(timer);
  const percent = pulse();
  if (percent === null) delete document.body.dataset.beats;
  else document.body.dataset.beats = Math.round(rate(percent)); // a minute
  // Without a beat it looks again in a while, for sound may be switched on.
  if (document.querySelector("[data-pulse]")) timer = setTimeout(beat, 60000 / rate(percent ?? 0));
}

function beat() {
  if (pulse() !== null) {
    hear("heart");
    for (const el of document.querySelectorAll("[data-glow]")) {
      el.animate([{ filter: "brightness(1)" }, { filter: "brightness(1.4)" }, { filter: "brightness(1)" }], 360);
    }
    if (dataset.vibration) navigator.vibrate?.(THUMP);
  }
  next();
}
