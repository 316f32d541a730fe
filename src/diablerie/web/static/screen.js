// The screen in the middle of a table stays awake, fills the display if somebody likes, and goes on to
// the next game.

import { onFrame } from "./frames.js";
import { visit } from "./visit.js";

const root = document.documentElement;

/** Do so where the page is such a screen. */
export function start() {
  if (!document.querySelector("[data-screen]")) return;
  awake();
  document.addEventListener("visibilitychange", awake);
  fill(document.querySelector("[data-full]"));
  onFrame(follow);
  follow();
}

// A browser gives the lock up when the page is hidden. It has none under plain http.
async function awake() {
  if (document.hidden) return;
  const held = await navigator.wakeLock?.request("screen").catch(() => null);
  root.classList.toggle("sleepy", !held);
}

function fill(knob) {
  knob.hidden = !document.fullscreenEnabled;
  knob.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()).catch(() => {}));
  document.addEventListener("fullscreenchange", () => knob.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement))));
}

function follow() {
  const next = document.querySelector("[data-follow]");
  if (next) visit(next.href);
}
