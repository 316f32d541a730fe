// Cards laid onto places, by dragging or by clicking one after the other: [data-card] onto
// [data-slot]. When every place has its card, [data-assign-send] sends the action that the
// template [data-assign] gives.

import { decide } from "./controls.js";
import { onFrame } from "./frames.js";

let laid = new Map(); // place -> card
let held = null; // the card in hand
let from = null; // where a drag began

const board = () => document.querySelector("[data-region=board] [data-assign]");
const all = (kind) => [...(board()?.querySelectorAll(`[data-${kind}]`) ?? [])];
const cardOf = (value) => all("card").find((el) => el.dataset.card === value);

/** Make laying cards work. */
export function start() {
  document.addEventListener("pointerdown", grab);
  document.addEventListener("pointermove", drag);
  document.addEventListener("pointerup", drop);
  document.addEventListener("click", send);
  onFrame(arrange);
  arrange();
}

function grab(event) {
  const card = event.target.closest("[data-assign] [data-card]");
  if (!card) return;
  event.preventDefault();
  const again = held === card.dataset.card;
  from = { card: card.dataset.card, x: event.clientX, y: event.clientY, moved: false, again };
  held = from.card;
  arrange();
}

function drag(event) {
  if (!from) return;
  from.moved ||= Math.hypot(event.clientX - from.x, event.clientY - from.y) > 6;
  if (from.moved) place(cardOf(from.card), local(event));
}

function drop(event) {
  const slot = slotUnder(event);
  if (from && !from.moved && !slotHolding(held)) held = from.again ? null : held;
  if (held && slot && (from?.moved || !from || slotHolding(held) !== slot.dataset.slot)) lay(slot.dataset.slot);
  else if (from?.moved) lift(held);
  from = null;
  arrange();
}

const slotHolding = (card) => [...laid].find(([, value]) => value === card)?.[0];

// A card that was there goes where the new one came from.
function lay(slot) {
  const before = slotHolding(held);
  const other = laid.get(slot);
  if (before !== undefined) laid.delete(before);
  laid.set(slot, held);
  if (other !== undefined && other !== held && before !== undefined) laid.set(before, other);
  held = null;
}

function lift(card) {
  const slot = slotHolding(card);
  if (slot !== undefined) laid.delete(slot);
  held = null;
}

function slotUnder(event) {
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  return under.map((el) => el.closest("[data-assign] [data-slot]")).find(Boolean);
}

// A point of the window in the coordinates of the drawing.
function local(event) {
  const matrix = board().getScreenCTM().inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return `${x} ${y}`;
}

function place(card, at) {
  card.setAttribute("transform", card.getAttribute("transform").replace(/translate\([^)]*\)/, `translate(${at})`));
}

function arrange() {
  if (!board()) {
    laid = new Map();
    held = null;
    return;
  }
  const places = new Map(all("slot").map((el) => [el.dataset.slot, el.dataset.at]));
  for (const card of all("card")) {
    place(card, places.get(slotHolding(card.dataset.card)) ?? card.dataset.home);
    card.classList.toggle("chosen", card.dataset.card === held);
  }
  for (const el of all("assign-send")) el.classList.toggle("can", laid.size === places.size);
}

function send(event) {
  const button = event.target.closest("[data-assign] [data-assign-send]");
  if (!button || laid.size < all("slot").length) return;
  const cards = all("slot").map((el) => laid.get(el.dataset.slot));
  const action = cards.reduce((text, card) => text.replace("{}", card), board().dataset.assign);
  decide(action, button, { x: event.clientX, y: event.clientY });
}
