// The replay: the slider and the step links ask for a step's regions instead of a page.

import { show } from "./frames.js";

const main = document.querySelector("[data-replay]");
let wanted = -1;
let asking = false;

/** Take over the slider, the links and the curve, and follow an analysis. */
export function start() {
  document.addEventListener("input", (event) => event.target.id === "replay-slider" && to(event.target.value));
  document.addEventListener("change", (event) => event.target.id === "eyes" && event.target.form.submit());
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step-to]");
    const curve = event.target.closest("[data-curve]");
    if (!link && !curve) return;
    event.preventDefault();
    to(link ? link.dataset.stepTo : pointed(curve, event));
  });
  follow();
}

// The step below the pointer: the curve runs from the first to the last between two marks.
function pointed(curve, { clientX, clientY }) {
  const { x } = new DOMPoint(clientX, clientY).matrixTransform(curve.getScreenCTM().inverse());
  const [left, right] = [Number(curve.dataset.left), Number(curve.dataset.right)];
  const last = Number(document.getElementById("replay-slider").max);
  const step = Math.round(1 + ((x - left) / (right - left)) * (last - 1));
  return Math.min(Math.max(step, 1), last);
}

async function follow() {
  while (document.querySelector("[data-analysing]")) {
    await new Promise((later) => setTimeout(later, 700));
    await to(document.getElementById("replay-slider").value);
  }
}

async function to(step) {
  wanted = Number(step);
  if (asking) return;
  asking = true;
  for (let asked = -1; asked !== wanted; ) {
    asked = wanted;
    await ask(asked);
  }
  asking = false;
}

async function ask(step) {
  const url = `${main.dataset.replay}?step=${step}&eyes=${main.dataset.eyes}`;
  const answer = await fetch(url, { headers: { accept: "application/json" } });
  if (!answer.ok) return;
  const frame = await answer.json();
  show(frame);
  history.replaceState(null, "", frame.url);
  for (const field of document.querySelectorAll("[data-step]")) field.value = frame.seq;
}
