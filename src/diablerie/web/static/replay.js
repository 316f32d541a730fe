// The replay: the slider and the step links ask for a step's regions instead of a page.

import { get, watch } from "./alive.js";
import { onFrame, show } from "./frames.js";
import { skip } from "./motion.js";
import { pacing, slowed } from "./pacing.js";
import { leave, staging } from "./stage.js";

const main = document.querySelector("[data-replay]");
let wanted = -1;
let asking = false;
let playing = false;

const REST = 1100; // milliseconds that a step is looked at while it plays
const [AGAIN, SELDOM] = [400, 4000]; // milliseconds between two looks at an analysis that goes on
const slider = () => document.getElementById("replay-slider");

/** Take over the slider, the links, the keys and the curve, and follow an analysis. */
export function start() {
  document.addEventListener("click", (event) => event.target.closest("[data-play]") && play(!playing));
  document.addEventListener("keydown", pressed);
  onFrame(shown);
  document.addEventListener("input", (event) => event.target.id === "replay-slider" && to(event.target.value));
  document.addEventListener("change", ({ target }) => {
    if (target.id === "eyes") target.form.submit();
    else if (target.matches("[data-chapter]")) jump(target.value);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step-to]");
    const curve = event.target.closest("[data-curve]");
    if (!link && !curve) return;
    event.preventDefault();
    if (link?.dataset.who) main.dataset.who = link.dataset.who;
    if (link && "look" in link.dataset) document.querySelector(".board").scrollIntoView();
    jump(link ? link.dataset.stepTo : pointed(curve, event));
  });
  follow();
}

function jump(step) {
  play(false);
  to(step);
}

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const free = !event.target.closest("button, a");
  if (event.key === " " && free) play(!playing);
  else if (event.key in KEYS) {
    play(false);
    go(KEYS[event.key]);
  } else return;
  event.preventDefault();
}

// The step that was asked for last, whether or not it has come.
const current = () => (wanted > 0 ? wanted : Number(slider().value));

const within = (step) => Math.min(Math.max(step, 1), Number(slider().max));

// So many steps on, and not past either end.
const go = (by) => to(within(current() + by));

// Step by step until the end, or until something else is done; from the end it begins again.
async function play(on) {
  if (playing === on) return;
  playing = on;
  shown();
  if (on && Number(slider().value) >= Number(slider().max)) await to(1);
  while (playing && Number(slider().value) < Number(slider().max)) {
    await new Promise((later) => setTimeout(later, slowed(REST)));
    while (playing && (pacing() || staging())) await new Promise((later) => setTimeout(later, 100));
    if (playing) await go(1);
  }
  playing = false;
  shown();
}

function shown() {
  document.querySelector("[data-play]")?.setAttribute("aria-pressed", String(playing));
  const chapter = document.querySelector("[data-chapter]"); // once chosen from, it does not follow
  if (chapter) chapter.value = chapter.querySelector("[selected]").value;
}

// The step below the pointer: the curve runs from the first to the last between two marks.
function pointed(curve, { clientX, clientY }) {
  const { x } = new DOMPoint(clientX, clientY).matrixTransform(curve.getScreenCTM().inverse());
  const [left, right] = [Number(curve.dataset.left), Number(curve.dataset.right)];
  return within(Math.round(1 + ((x - left) / (right - left)) * (Number(slider().max) - 1)));
}

async function follow() {
  const analysing = () => document.querySelector("[data-analysing]");
  const stop = analysing() && watch(() => {});
  for (let pause = AGAIN; analysing(); pause = Math.min(pause * 1.1, SELDOM)) {
    await new Promise((later) => setTimeout(later, pause));
    await to(current());
  }
  stop?.();
}

async function to(step) {
  wanted = Number(step);
  if (asking) return;
  asking = true;
  try {
    for (let asked = -1; asked !== wanted; ) {
      asked = wanted;
      await ask(asked);
    }
  } finally {
    asking = false;
  }
}

async function ask(step) {
  const { replay, eyes, who } = main.dataset;
  const url = `${replay}?step=${step}&eyes=${eyes}${who ? `&who=${who}` : ""}`;
  const frame = JSON.parse(await get(url, "application/json"));
  if (!frame) return;
  if (pacing()) skip(); // who goes on has read enough
  leave();
  if (!playing) delete frame.regions.moments; // who looks for a step does not wait for scenes
  show(frame);
  if (frame.ply === wanted) slider().value = frame.ply; // what was slid does not follow its attribute
  history.replaceState(null, "", frame.url);
  for (const field of document.querySelectorAll("[data-step]")) field.value = frame.ply;
}
