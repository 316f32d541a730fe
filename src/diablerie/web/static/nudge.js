// The nudge: what happens where one has not scrolled to, one's turn or a line of the chat, is told
// at the edge of the window, with a link that leads there.

import { onFrame } from "./frames.js";
import { released } from "./press.js";

const LASTING = 15000; // milliseconds that a line of the chat is told
const LONGEST = 60; // characters of it
const ENOUGH = 0.3; // the share of the board that has to be seen

const main = document.querySelector("[data-table]");
const nudge = document.getElementById("nudge");
const seen = new Set(); // of the watched places, those in the window
const heard = new Set(); // lines of the chat, by id
let timer = 0;

/** Watch what the page shows, and what it says. */
export function start() {
  if (!nudge) return;
  const watcher = new IntersectionObserver(looked, { threshold: [0, ENOUGH] });
  for (const place of document.querySelectorAll("[data-region=board], #asked, .talk-chat")) watcher.observe(place);
  for (const li of lines()) heard.add(li.id);
  onFrame(() => {
    const fresh = lines().filter((li) => !heard.has(li.id));
    for (const li of fresh) heard.add(li.id);
    const others = fresh.filter((li) => !own(li) && !li.querySelector(".avatar")) /* a face is shown: faces.js */;
    if (others.length && !seen.has("talk")) tell("talk", others.at(-1).textContent.trim());
    else weigh();
  });
  nudge.addEventListener("click", (event) => event.target.closest("a") && hide());
}

const lines = () => [...document.querySelectorAll("#chat li")];
const own = (li) => (main.dataset.own || "none").split(",").some((seat) => li.classList.contains(`seat-${seat}`));
const place = (el) => (el.matches(".talk-chat") ? "talk" : el.id === "asked" ? "ask" : "board");

function looked(entries) {
  for (const entry of entries) {
    const shown = entry.isIntersecting && (place(entry.target) !== "board" || entry.intersectionRatio >= ENOUGH);
    if (shown) seen.add(place(entry.target));
    else seen.delete(place(entry.target));
  }
  released().then(weigh);
}

// One's turn is told where neither the board nor what is asked can be seen.
function weigh() {
  const asked = document.querySelector("[data-region=ask] .prompt.mine");
  const shown = nudge.querySelector("a")?.dataset.to;
  if (shown === "talk" && !seen.has("talk")) return;
  if (asked && !seen.has("ask") && !seen.has("board")) tell("ask", nudge.dataset.turn);
  else hide();
}

function tell(to, text) {
  const said = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const shown = nudge.querySelector("a");
  if (shown?.textContent === said) return;
  const link = Object.assign(document.createElement("a"), { href: to === "talk" ? "#talk" : "#asked", textContent: said });
  link.dataset.to = to;
  nudge.replaceChildren(link);
  document.documentElement.classList.add("nudged");
  clearTimeout(timer);
  if (to === "talk") timer = setTimeout(() => released().then(() => (hide(), weigh())), LASTING);
}

function hide() {
  clearTimeout(timer);
  nudge.replaceChildren();
  document.documentElement.classList.remove("nudged");
}
