// Boards where something is chosen before it is moved: choosing a [data-pick] shows the marks
// [data-for] it. The choice outlives frames as long as the board still offers it.

import { onFrame } from "./frames.js";

let chosen = "";

/** Make choosing work. */
export function start() {
  document.addEventListener("click", (event) => {
    const pick = event.target.closest("[data-region=board] [data-pick]");
    if (!pick || event.target.closest("[data-action], [data-fan]")) return;
    choose(pick.dataset.pick === chosen ? "" : pick.dataset.pick);
  });
  onFrame(reset);
  reset();
}

/** Choose what has this key, or nothing. */
export function choose(key) {
  chosen = key;
  show();
}

// The server may name a choice to begin with; one that is gone is forgotten.
function reset() {
  const picks = [...document.querySelectorAll("[data-region=board] [data-pick]")];
  const first = picks.find((el) => el.hasAttribute("data-default"));
  if (!picks.some((el) => el.dataset.pick === chosen)) chosen = first?.dataset.pick ?? "";
  show();
}

function show() {
  for (const el of document.querySelectorAll("[data-pick]")) el.classList.toggle("picked", el.dataset.pick === chosen);
  for (const el of document.querySelectorAll("[data-for]")) el.classList.toggle("on", el.dataset.for === chosen);
}
