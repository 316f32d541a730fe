// Pacing: what comes in beats (`data-beat`) comes one after the other. A beat of one's own
// (`data-clicks`) waits a while for the `data-pacer` in the picture, or the button that stands where
// decisions are made, to be pressed so often. What is only to be read (`data-reader`) goes on by
// itself, and a press ends it. Nothing of it is sent: what comes is decided and
// written down already, a press only lets it be seen.

import { hear } from "./sounds.js";

const waiting = new Set();

/** So many milliseconds at the speed that is wanted here. */
export const slowed = (ms) => ms * (parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--pace")) || 1);

/** Whether something is told in beats now. */
export const pacing = () => document.body.classList.contains("pacing");

/** End the waiting. */
export function release() {
  for (const done of [...waiting]) done(true);
}

/** Let those that have a beat wait for it; resolves when the last has begun. */
export async function pace(pacer, begun) {
  const paced = begun.filter(({ el }) => pacer && el.dataset.beat);
  if (!paced.length) return;
  for (const { animation } of paced) hold(animation);
  const home = document.activeElement;
  const button = shown(pacer);
  let told = 0;
  for (const { clicks, delay, animations, heard } of inBeats(paced)) {
    const over = await turn([pacer, button], clicks, slowed(Math.max(delay - told, SHORTEST)));
    if (over) break;
    told = delay;
    for (const one of animations) one.play();
    for (const sound of heard) hear(sound);
  }
  for (const { animation } of paced) if (animation.playState === "paused") animation.finish();
  await Promise.allSettled(paced.map(({ animation }) => animation.finished));
  gone(button, home);
}

const SHORTEST = 250; // milliseconds from beat to beat

function inBeats(paced) {
  const beats = new Map();
  for (const { el, animation } of paced) {
    const beat = beats.get(el.dataset.beat) ?? { clicks: 0, delay: 0, animations: [], heard: [] };
    beat.clicks = Math.max(beat.clicks, Number(el.dataset.clicks) || 0);
    beat.delay = Math.max(beat.delay, Number(el.dataset.delay) || 0);
    beat.animations.push(animation);
    if (el.dataset.heard) beat.heard.push(el.dataset.heard);
    beats.set(el.dataset.beat, beat);
  }
  return [...beats].sort(([a], [b]) => a - b).map(([, beat]) => beat);
}

// At its first picture, however long it was to wait.
function hold(animation) {
  animation.effect.updateTiming({ delay: 0 });
  animation.pause();
}

// Wait for so many clicks, or if they do not come (or none are asked) for a while; true: for nothing more.
function turn([pacer, button], clicks, wait) {
  return new Promise((go) => {
    const reading = "reader" in pacer.dataset;
    let left = clicks;
    let timer = 0;
    const done = (over) => {
      clearTimeout(timer);
      waiting.delete(done);
      for (const el of [pacer, button]) el.removeEventListener("click", press);
      go(over);
    };
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => done(false), clicks ? Number(pacer.dataset.pacer) : wait);
    };
    const press = () => {
      if (reading) return done(true);
      pacer.animate([{ opacity: 0.3 }, { opacity: 1 }], 160);
      left -= 1;
      if (left > 0) rest();
      else done(false);
    };
    waiting.add(done);
    pacer.classList.toggle("now", clicks > 0);
    button.setAttribute("aria-disabled", String(!clicks && !reading));
    for (const el of clicks || reading ? [pacer, button] : []) el.addEventListener("click", press);
    rest();
  });
}

// The button for those who do not press in the picture. Who is typing goes on typing, and a screen in the
// middle takes no keys: a ring would stay round its board.
function shown(pacer) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "btn primary press" });
  button.textContent = pacer.dataset.word;
  if ("reader" in pacer.dataset) under(pacer, button);
  else document.querySelector("[data-region=ask]")?.prepend(button);
  document.body.classList.add("pacing");
  const elsewhere = document.activeElement?.closest("input, textarea, select, dialog");
  if (!elsewhere && !document.querySelector("[data-screen]")) button.focus({ preventScroll: true });
  return button;
}

// Where one reads: at the lower edge of the slate, on the picture.
function under(pacer, button) {
  const board = pacer.closest("[data-region=board], [data-region=replay-board]") ?? document.body;
  const [box, frame] = [pacer.getBoundingClientRect(), board.getBoundingClientRect()];
  button.classList.add("press-here");
  button.style.left = `${box.left + box.width / 2 - frame.left}px`;
  button.style.top = `${box.bottom - frame.top}px`;
  board.append(button);
}

function gone(button, home) {
  const focused = document.activeElement === button;
  document.body.classList.remove("pacing");
  button.remove();
  const next = document.querySelector("#decide button") ?? document.querySelector("[data-region=ask]");
  const back = home?.isConnected && !home.matches("body, [data-region]") ? home : next;
  if (focused) back?.focus({ preventScroll: true });
}
