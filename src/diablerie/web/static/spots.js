// The board: a spot that stands for an action sends it; what is pointed at lights up what it means.
// Keyboard focus points, too. Focus that a script moves after a tap or a click (walk.js) does not:
// nobody pointed at where it goes.

import { decide, remind } from "./controls.js";
import { fill } from "./fields.js";
import { onFrame } from "./frames.js";

/** Make the spots of the board work. */
export function start() {
  document.addEventListener("click", pressed);
  for (const kind of ["pointerover", "click", "input"]) document.addEventListener(kind, pointed);
  document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointed(event));
  for (const kind of ["pointerout", "focusout"]) document.addEventListener(kind, left);
  onFrame(({ regions }) => "board" in regions && left());
}

// What takes a click itself, and what is beside all that and so only hears what is asked.
const KNOBS = "[data-pick], [data-fan], [data-fan-of], [data-light], [data-lights], [data-cycle], [data-cycle-step]";
const OTHERS = `${KNOBS}, [data-assign], [data-pacer]`;

function pressed(event) {
  const spot = event.target.closest(`[data-region=board] :is([data-action], ${OTHERS})`);
  const place = { x: event.clientX, y: event.clientY };
  if (!spot && event.target.closest("[data-region=board] svg")) return remind(place);
  if (!spot?.dataset.action) return;
  event.preventDefault();
  // Where a number is asked for, a spot only fills it in: the button beside it decides.
  const field = fill(spot.dataset.action);
  if (field) return field.focus();
  spot.classList.add("pressed");
  setTimeout(() => spot.classList.remove("pressed"), 400);
  decide(spot.dataset.action, spot, place);
}

const meant = (el) => {
  const control = el.closest?.("[data-action], button[name=do], [data-amount], [data-light]");
  if (!control) return { action: "", light: "" };
  const field = control.querySelector?.("input[name=amount]");
  const typed = field && control.dataset.amount?.replace("{}", field.value);
  return { action: control.dataset.action ?? typed ?? control.value ?? "", light: control.dataset.light ?? "" };
};

function pointed(event) {
  const { action, light } = meant(event.target);
  left();
  if (action) mark("[data-preview]", "shown", (el) => el.dataset.preview === action);
  if (action) mark("[data-action], button[name=do]", "lit", (el) => (el.dataset.action ?? el.value) === action);
  if (light) mark("[data-lights]", "lit", (el) => el.dataset.lights.split(" ").includes(light));
}

function mark(selector, name, wanted) {
  for (const el of document.querySelectorAll(selector)) if (wanted(el)) el.classList.add(name);
}

function left() {
  for (const el of document.querySelectorAll(".lit, .shown")) el.classList.remove("lit", "shown");
}
