// The board by keys: all that may be chosen there is one stop of the Tab key; the arrow keys go to
// the next one in their direction, Enter and the space bar choose. Whoever decided on the board
// finds the focus there again: at a choice, at the number that is asked for, or else at the whole board.

import { onFrame } from "./frames.js";
import { centre } from "./motion.js";

const BOARD = "[data-region=board]";
const KNOBS = "[data-pick], [data-fan], [data-cycle-step], [data-card], [data-slot], [data-assign-send].can";
const SIGHTS = "[data-lights][tabindex]"; // nothing to choose, but to be pointed at
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2.5; // so many times farther is what lies aside of the direction

const armed = new WeakSet(); // what has been made reachable here
let here = ""; // what had the focus: its key
let walking = false; // whether the focus was on the board when last heard of

/** Make the board's spots reachable. */
export function start() {
  document.querySelector(BOARD)?.setAttribute("tabindex", "-1");
  document.addEventListener("keydown", pressed);
  document.addEventListener("focusin", (event) => {
    walking = Boolean(event.target.closest(BOARD));
    if (event.target.matches(`${BOARD} *`)) here = key(event.target);
  });
  document.addEventListener("click", (event) => event.target.closest(BOARD) && setTimeout(arm));
  onFrame((_, whole) => whole && arm()); // the list, which says what may be chosen, comes last
  arm();
}

const key = (el) => el.id || ["action", "pick", "card", "slot"].map((name) => el.dataset[name] ?? "").join("|");

const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });

// What may be chosen: what a button of the list says too, and what such a choice is made with.
function spots() {
  const board = document.querySelector(BOARD);
  const buttons = new Map([...document.querySelectorAll("button[name=do]")].map((el) => [el.value, el.textContent.trim()]));
  const found = new Map();
  for (const el of board?.querySelectorAll(`[data-action], ${KNOBS}, ${SIGHTS}`) ?? []) {
    const action = el.dataset.action ?? "";
    const word = buttons.get(action) ?? buttons.get(action.split(";")[0]);
    if (el.parentElement.closest("[data-fan]")) continue; // first it is spread out
    if ((word || el.matches(`${KNOBS}, ${SIGHTS}`)) && seen(el)) found.set(el, named(el, action, word));
  }
  return found;
}

// A walk of several steps is named by where it ends.
function named(el, action, word) {
  if (!word) return el.getAttribute("aria-label") ?? el.querySelector("title")?.textContent ?? el.textContent.trim();
  return action.includes(";") ? `${word} … ${action.split(" ").at(-1)}` : word;
}

function arm() {
  const board = document.querySelector(BOARD);
  if (!board) return;
  const found = spots();
  for (const el of board.querySelectorAll("[tabindex]")) if (armed.has(el) && !found.has(el)) disarm(el);
  if (found.size) board.querySelector("svg").setAttribute("role", "group"); // an image would hide what is in it
  const all = [...found.keys()];
  const choices = all.filter((el) => !el.matches("[data-fan]") && (!el.matches(SIGHTS) || armed.has(el)));
  const first = all.find((el) => key(el) === here) ?? choices.find((el) => el.dataset.action) ?? choices[0] ?? all[0];
  for (const [el, name] of found) {
    el.setAttribute("tabindex", el === first ? "0" : "-1");
    if (el.matches(SIGHTS) && !armed.has(el)) continue; // it says itself what it is
    armed.add(el);
    el.setAttribute("role", "button");
    if (name) el.setAttribute("aria-label", name);
  }
  const known = choices.includes(first) || (first && key(first) === here);
  const number = document.querySelector("[data-region=ask] [data-slider]"); // asked instead of a choice
  if (walking && lost(board)) (known ? first : (number ?? board)).focus({ preventScroll: true });
}

// Whether what had the focus is gone or is no choice any more, or the board holds it for who uses keys.
function lost(board) {
  const active = document.activeElement;
  if (!active?.isConnected || active === document.body) return true;
  return active === board ? board.matches(":focus-visible") : board.contains(active) && !active.matches("[tabindex]");
}

function disarm(el) {
  armed.delete(el);
  for (const name of ["tabindex", "role", "aria-label"]) el.removeAttribute(name);
}

function pressed(event) {
  const spot = event.target.closest?.(`${BOARD} [tabindex]`);
  if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") choose(event, spot);
  else if (WAYS[event.key]) step(event, spot);
}

function choose(event, spot) {
  event.preventDefault();
  const { x, y } = centre(spot);
  for (const kind of ["pointerdown", "pointerup", "click"])
    spot.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, clientX: x, clientY: y }));
}

function step(event, spot) {
  event.preventDefault();
  const next = nearest(spot, WAYS[event.key]);
  if (!next) return;
  spot.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus({ preventScroll: false });
}

function nearest(spot, [dx, dy]) {
  const from = centre(spot);
  let best = null;
  let least = Infinity;
  for (const el of spots().keys()) {
    const to = centre(el);
    const [x, y] = [to.x - from.x, to.y - from.y];
    const ahead = x * dx + y * dy;
    const far = ahead + ASIDE * Math.abs(x * dy + y * dx);
    if (el === spot || ahead < 2 || far >= least) continue;
    [best, least] = [el, far];
  }
  return best;
}
