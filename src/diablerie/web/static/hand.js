// A hand: the page of a player where a screen in the middle shows the board. The board is folded away
// while nothing is to be chosen in it, what the player has before them stays, and buttons are large. A
// switch brings the board back. The server says that it is a hand (`#hand`), the style sheet does the rest.

import { onFrame } from "./frames.js";
import { keep, kept, TAB } from "./kept.js";

const SHOWN = "board"; // kept: "shown" if this phone shows the board, too
const CHOSEN_THERE = "#choices, #draft, [data-region=board] [data-cycle]"; // then the picture is needed
const MARGIN = 6; // round what is held, in units of the picture
const SVG = "http://www.w3.org/2000/svg";

const root = document.documentElement;
const knob = document.querySelector("[data-unfold]");

/** Fold the board, now and whenever something changes. */
export function start() {
  if (!knob) return;
  knob.setAttribute("aria-checked", String(kept(SHOWN, TAB) === "shown"));
  knob.addEventListener("click", () => {
    const shown = knob.getAttribute("aria-checked") !== "true";
    knob.setAttribute("aria-checked", String(shown));
    keep(SHOWN, shown ? "shown" : "", TAB);
    fold();
  });
  onFrame((_, whole) => whole && fold());
  fold();
}

function fold() {
  const hand = document.getElementById("hand");
  const shown = knob.getAttribute("aria-checked") === "true" || document.querySelector(CHOSEN_THERE);
  knob.hidden = !hand;
  root.classList.toggle("hand", Boolean(hand));
  root.classList.toggle("folded", Boolean(hand && !shown));
  document.querySelector(".held")?.remove();
  if (hand && !shown) hold(hand.dataset.seat);
}

// What the player has before them, drawn once more: the folded board is still laid out, so that it can be
// measured. No script finds the copy.
function hold(seat) {
  const board = document.querySelector("[data-region=board]");
  const own = [`[data-player="${seat}"]`, "[data-hand]"].map((which) => board.querySelector(`svg ${which}`)).filter(Boolean);
  if (!own.length) return;
  const holder = Object.assign(document.createElement("div"), { className: "held" });
  holder.setAttribute("aria-hidden", "true"); // the position in words tells it
  holder.append(...own.map(drawn));
  board.after(holder);
}

function drawn(el) {
  const copy = el.cloneNode(true);
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of one.getAttributeNames()) if (name === "id" || name.startsWith("data-")) one.removeAttribute(name);
  }
  const { x, y, width, height } = el.getBBox();
  const placed = el.transform.baseVal.consolidate()?.matrix ?? new DOMMatrix();
  const [from, to] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((at) => at.matrixTransform(placed));
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", el.ownerSVGElement.getAttribute("class"));
  svg.setAttribute("viewBox", [from.x - MARGIN, from.y - MARGIN, to.x - from.x + 2 * MARGIN, to.y - from.y + 2 * MARGIN].join(" "));
  svg.append(copy);
  return svg;
}
