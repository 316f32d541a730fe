// Controls: forms are sent without leaving the page, and a refusal is shown where it was caused.

import { timely } from "./alive.js";
import { settle } from "./frames.js";
import { FIRST_ROUND, hint } from "./hints.js";
import { keep, kept, TAB } from "./kept.js";
import { answer } from "./lesson.js";
import { go, open, refresh, table } from "./live.js";
import { lead } from "./motion.js";
import { released } from "./press.js";
import { revisit, visit } from "./visit.js";

const main = document.querySelector("[data-table]");
const sending = new Set(); // what is on its way: an address, and the position it was decided in
const newest = {}; // by address: the body sent last
const BRIEF = 3000; // milliseconds that is said whom the table waits for
const TWICE = 2000; // milliseconds in which the same decision again is the same wish, not a new one
const DRAFT = `${table} chat`; // what is half written there, until it is sent
const done = { action: "", at: 0 }; // the decision that was accepted last

/** Take over the page's forms. */
export function start() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-form]");
    if (!form) return;
    event.preventDefault();
    post(form.getAttribute("action"), fields(form, event.submitter), event.submitter, form);
    if (form.id === "decide") settle();
  });
  const line = document.getElementById("chat-text");
  if (!line) return;
  line.value ||= kept(DRAFT, TAB);
  line.addEventListener("input", () => keep(DRAFT, line.value, TAB));
}

function fields(form, submitter) {
  const data = new FormData(form, submitter);
  return new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
}

/** Send a decision made on the board; with `data-afresh` it stands for the whole plan. */
export function decide(action, spot, place) {
  const lesson = document.getElementById("lesson-form");
  if (lesson) return answer(lesson, action);
  settle();
  const now = document.getElementById("now");
  if (!now) return;
  const data = new URLSearchParams({ ...now.dataset, do: action });
  if (spot.hasAttribute("data-afresh")) data.set("afresh", "1");
  if (spot.dataset.walk) lead(spot.dataset);
  post(`${table}/decide`, data, spot, null, place);
}

/** Say beside a place on the board where nothing can be chosen what is asked, or that others decide. */
export function remind(place) {
  const deciding = document.getElementById("decide");
  const asked = document.querySelector("#task") ?? document.querySelector(deciding ? "#prompt" : "#waiting, #relieved");
  if (!asked) return;
  clear();
  const notice = Object.assign(document.createElement("p"), { className: "notice" });
  notice.append(...asked.cloneNode(true).childNodes);
  const bubble = atSpot(notice, place);
  if (asked.matches("#waiting")) setTimeout(() => bubble.remove(), BRIEF); // it soon is somebody else
}

async function post(url, body, control, form, place) {
  const about = [url, body.get("ply") ?? shownPly(), body.get("draft")].join(" ");
  if (sending.has(about)) return;
  sending.add(about);
  newest[url] = body;
  if (form?.dataset.form === "hint") body.set("round", FIRST_ROUND);
  if (body.has("ply")) document.getElementById("first")?.remove(); // who decides knows how
  clear();
  control?.classList.add("pending");
  control?.setAttribute("aria-busy", "true");
  try {
    const [answer, told] = await patiently(url, body, form, place);
    if (!answer) clear();
    else if (answer.ok) accepted(told, form, url, body, newest[url] === body);
    else if (!again(told, body)) refused(told, form, place);
  } catch {
    refused({ title: main.dataset.failed }, form, place);
  } finally {
    sending.delete(about);
    control?.classList.remove("pending");
    control?.removeAttribute("aria-busy");
  }
}

const shownPly = () => document.getElementById("now")?.dataset.ply;
const TRIES = 200; // at two seconds and more each

// A hint for which the devils are too busy is asked again by itself while the page shows the same
// position.
async function patiently(url, body, form, place) {
  const ply = shownPly();
  for (let tries = 1; ; tries++) {
    const answer = await timely(fetch(url, { method: "POST", body, headers: { accept: "application/json" } }));
    const told = await answer.json();
    await released();
    const later = answer.status === 429 && form?.dataset.form === "hint";
    if (tries === 1 && later) refused(told, form, place);
    else if (!later || tries === TRIES) {
      clear();
      return [answer, told];
    }
    await new Promise((soon) => setTimeout(soon, (Number(answer.headers.get("retry-after")) || 2) * 1000));
    if (ply !== shownPly()) return [];
  }
}

// Whether only what has just been accepted was sent again, by a second click: nothing to be told.
function again({ code }, body) {
  const repeated = code === "repeated" || (body.has("do") && body.get("do") === done.action && performance.now() - done.at < TWICE);
  if (repeated) refresh();
  return repeated;
}

// The page goes on to where the `last` one sent leads.
function accepted(told, form, url, body, last) {
  if (body.has("do")) Object.assign(done, { action: body.get("do"), at: performance.now() });
  if (form?.matches(".chat-form")) form.reset(), keep(DRAFT, "", TAB);
  if (form?.dataset.form === "mute") return revisit(); // the stream is another one now, too
  if (form?.dataset.form === "words") return open();
  if (told.said) return thank(told.said, form);
  if (form?.dataset.form === "sit") visit(marked(told.url)); // somebody else now, also to the stream
  else if (told.link) showLink(told.link);
  else if (told.hints) hint(told, url, body);
  else if (last) go(told.url);
}

// So that the server says so if this browser did not keep the cookie; else it takes the mark off.
const marked = (url) => `${url}${url.includes("?") ? "&" : "?"}cookie=new`;

// In the place of a refusal, but good news.
function thank(text, form) {
  const notice = Object.assign(document.createElement("p"), { className: "notice success", textContent: text });
  document.querySelector(`[data-refusal="${form.dataset.form}"]`)?.replaceChildren(notice);
}

function clear() {
  for (const place of document.querySelectorAll("[data-refusal]")) place.replaceChildren();
  document.getElementById("refused-here")?.remove();
}

function refused(told, form, place) {
  if (told.code === "stale") refresh();
  const notice = sentence(told);
  if (place) return atSpot(notice, place);
  const name = form?.dataset.form ?? "act";
  const target = form?.querySelector("[data-refusal]") ?? document.querySelector(`[data-refusal="${name}"]`);
  target?.replaceChildren(notice);
  notice.scrollIntoView({ block: "nearest" });
}

function sentence(told) {
  const notice = document.createElement("p");
  notice.className = "notice refusal";
  notice.append(told.title);
  if (told.rule) {
    const link = Object.assign(document.createElement("a"), { href: told.rule, target: "_blank", className: "clause" });
    link.append(told.clause);
    notice.append(" ", link);
  }
  return notice;
}

// Beside the spot on the board that was tried, inside the window, where it covers least of what
// may be chosen next.
function atSpot(notice, { x, y }) {
  const bubble = document.createElement("div");
  bubble.id = "refused-here";
  bubble.className = "bubble";
  bubble.setAttribute("role", "alert");
  bubble.append(notice);
  document.body.append(bubble);
  const { width, height } = bubble.getBoundingClientRect();
  const { left, top } = clearest({ x, y, width, height });
  bubble.style.left = `${left + scrollX}px`;
  bubble.style.top = `${top + scrollY}px`;
  return bubble;
}

const GAP = 14; // from the pointer, in pixels
const WANTED = "[data-region=board] [data-action].can, [data-region=ask] :is(button, summary, input)";
const CLEAR = ".kept-clear"; // of the drawing: a count, which is read just then

function clearest({ x, y, width, height }) {
  const inside = (at, size, room) => Math.max(8, Math.min(at, room - size - 8));
  const needed = [...document.querySelectorAll(`${WANTED}, ${CLEAR}`)].map((el) => [el.getBoundingClientRect(), el.matches(CLEAR) ? 99 : 1]);
  const meets = (box, left, top) => box.left < left + width && box.right > left && box.top < top + height && box.bottom > top;
  const covered = ({ left, top }) => needed.reduce((sum, [box, weight]) => sum + (meets(box, left, top) ? weight : 0), 0);
  const across = [x - width / 2, x + GAP, x - width - GAP];
  const down = [y + GAP, y - height - GAP, y - height / 2];
  const places = down.flatMap((top) => across.map((left) => ({ left: inside(left, width, innerWidth), top: inside(top, height, innerHeight) })));
  const free = places.filter(({ left, top }) => x < left || x > left + width || y < top || y > top + height);
  return (free.length ? free : places).reduce((best, place) => (covered(place) < covered(best) ? place : best));
}

function showLink(link) {
  const input = Object.assign(document.createElement("input"), { readOnly: true, value: link });
  input.setAttribute("aria-label", link);
  document.querySelector("[data-personal]").replaceChildren(input);
  input.select();
}

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("#refused-here")) document.getElementById("refused-here")?.remove();
});
