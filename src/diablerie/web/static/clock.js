// Turn clocks: where the page says until when somebody may decide, this counts the time down.

import { onFrame } from "./frames.js";

const HURRY = 20; // seconds left, from which it is shown so
const main = document.querySelector("[data-table]");
const unit = (n, name) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: name, unitDisplay: "narrow" }).format(n);

let ahead = 0; // seconds of the server's clock before this one
let timer = 0;

/** Count down what the page shows, as long as it shows any. */
export function start() {
  heard(Number(main.dataset.now));
  onFrame((frame) => heard(frame.now));
}

function heard(now) {
  if (now) ahead = now - Date.now() / 1000;
  tick();
}

function tick() {
  clearTimeout(timer);
  const clocks = document.querySelectorAll("[data-due]");
  for (const el of clocks) tell(el, Number(el.dataset.due) - Date.now() / 1000 - ahead);
  if (clocks.length) timer = setTimeout(tick, 1000);
}

function tell(el, left) {
  const seconds = Math.max(0, Math.ceil(left));
  const text = inWords(seconds);
  if (el.textContent !== text) el.textContent = text;
  el.classList.toggle("hurry", seconds <= HURRY);
}

function inWords(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${unit(Math.floor(hours / 24), "day")} ${unit(hours % 24, "hour")}`;
  if (hours) return `${unit(hours, "hour")} ${unit(minutes % 60, "minute")}`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
