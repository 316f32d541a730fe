// Lessons: a spot on the board is as good as the button that says the same.

import { fill } from "./spots.js";

/** Make the board's spots send what they stand for. */
export function start() {
  document.addEventListener("click", (event) => {
    const spot = event.target.closest("[data-region=board] [data-action]");
    const form = document.getElementById("lesson-form");
    if (!spot || fill(spot.dataset.action)) return;
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "do" });
    field.value = spot.dataset.action;
    form.append(field);
    form.submit();
  });
  document.getElementById("step-title")?.focus({ preventScroll: true });
}
