// The replay: the slider and the step links ask for a step's regions instead of a page.

import { show } from "./frames.js";

const main = document.querySelector("[data-replay]");
let wanted = -1;
let asking = false;

/** Take over the slider, the links and the arrow keys. */
export function start() {
  document.addEventListener("input", (event) => event.target.id === "replay-slider" && to(event.target.value));
  document.addEventListener("change", (event) => event.target.id === "eyes" && event.target.form.submit());
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step-to]");
    if (!link) return;
    event.preventDefault();
    to(link.dataset.stepTo);
  });
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
  document.querySelector("[data-step]").value = frame.seq;
}
