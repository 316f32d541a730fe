// Hints: what a devil would do is shown beside the board, and marked on it by numbers. The first come
// soon, then better ones in their place, until somebody decides.

import { fill } from "./fields.js";
import { name } from "./names.js";

const SIZE = 11; // radius of a mark, in pixels of the screen
const LETTERS = 2; // of a text that is the name of a place; longer ones are words to be read

export const FIRST_ROUND = 0; // of hints
const LATER = 2; // seconds until they are asked for again where the devils are busy
let asked; // what was asked for last

/** Show hints for a form's fields, and better ones as long as the page shows the same position. */
export async function hint(told, url, fields) {
  asked = fields;
  let shown = show(told, fields.get("draft"));
  if (shown) choose(shown);
  shown?.scrollIntoView({ block: "nearest" });
  while (shown && told.better && asked === fields) {
    fields.set("round", told.better);
    const answer = await fetch(url, { method: "POST", body: fields, headers: { accept: "application/json" } }).catch(() => null);
    if (answer?.ok) told = await answer.json();
    else if (answer?.status === 429) await later(answer);
    else return;
    shown = asked === fields && show(told, fields.get("draft"));
    if (shown && amount() === filled) choose(shown);
  }
}

const later = (answer) => new Promise((soon) => setTimeout(soon, (Number(answer.headers.get("retry-after")) || LATER) * 1000));

// The best move is filled in where a number is asked for, until somebody chooses another.
function choose(place) {
  fill(place.querySelector("[data-hint]")?.value ?? "");
  filled = amount();
}

const amount = () => document.getElementById("amount")?.value;
let filled; // the number

// Their place, if they are for the position and the draft that the page still shows.
function show({ ply, html }, draft) {
  const place = document.querySelector("[data-hints]");
  const now = document.getElementById("now")?.dataset;
  if (!place || now?.ply !== String(ply) || (now.draft ?? "") !== (draft ?? "")) return null;
  const focused = place.contains(document.activeElement) && document.activeElement.value;
  place.innerHTML = html;
  name();
  if (focused) [...place.querySelectorAll("button")].find((el) => el.value === focused)?.focus();
  for (const old of document.querySelectorAll(".hint-mark")) old.remove();
  const marked = new Map();
  for (const button of place.querySelectorAll("[data-hint]")) {
    const spot = spotOf(button.value);
    if (spot) marked.set(spot, [...(marked.get(spot) ?? []), button.dataset.hint]);
  }
  for (const [spot, numbers] of marked) mark(spot, numbers.join(" "));
  return place;
}

// Where an action is chosen on the board; if that is not to be seen yet, what brings it up.
function spotOf(action) {
  const spots = [...document.querySelectorAll("[data-region=board] [data-action]")];
  const spot = spots.find((el) => el.dataset.action === action) ?? spots.find((el) => el.dataset.action.startsWith(`${action};`));
  const key = spot?.closest("[data-for]")?.dataset.for;
  return seen(spot) ? spot : key && document.querySelector(`[data-region=board] [data-pick="${CSS.escape(key)}"]`);
}

const seen = (el) => el && el.getBoundingClientRect().width > 0 && getComputedStyle(el).visibility === "visible";

// A numbered disc at the spot's upper right, in the coordinates of the whole picture.
function mark(spot, text) {
  const svg = spot.closest("svg");
  const whole = svg.getScreenCTM();
  const at = edge(spot).matrixTransform(whole.inverse());
  const radius = SIZE / whole.a;
  const view = svg.viewBox.baseVal;
  const inside = (x, low, size) => Math.min(Math.max(x, low + radius * 1.2), low + size - radius * 1.2);
  const [x, y] = [inside(at.x, view.x, view.width), inside(at.y, view.y, view.height)];
  const group = element("g", { class: "hint-mark", transform: `translate(${x} ${y}) scale(${radius})` });
  group.append(element("circle", { r: 1 }), element("text", { y: 0.36 }));
  group.lastChild.textContent = text;
  svg.append(group);
}

// From the upper right corner of its box inwards to where the spot itself lies; above its words.
function edge(spot) {
  const words = [...spot.querySelectorAll("text")].find((el) => el.textContent.trim().length > LETTERS && seen(el));
  if (words) {
    const { right, top } = words.getBoundingClientRect();
    return new DOMPoint(right, top - SIZE);
  }
  const box = spot.getBoundingClientRect();
  const towards = (k) => new DOMPoint(box.right - (box.width / 2) * k, box.top + (box.height / 2) * k);
  for (let k = 0.1; k < 1; k += 0.1) {
    const { x, y } = towards(k);
    if (spot.contains(document.elementFromPoint(x, y))) return towards(k);
  }
  return towards(0);
}

function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
