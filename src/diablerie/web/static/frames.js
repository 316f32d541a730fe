// Frames: what the server sends is shown, one after the other. Of each the pictures come first, and
// when they are at rest what is said of them: neither panel nor log runs ahead of the picture.

import { morph } from "./morph.js";
import { play, skip, snapshot, sound, still } from "./motion.js";
import { pacing, slowed } from "./pacing.js";
import { released } from "./press.js";
import { hush } from "./sounds.js";
import { ends, leave, sighted, stage } from "./stage.js";

const WAITING = 2; // more frames than these waiting: go straight to the last picture
const UNHURRIED = 12; // where things are to move slowly
const LONGEST = 5000; // milliseconds that any animation may hold up what follows

const queue = [];
const listeners = [];
const READ = "[data-reader]"; // what a picture tells to be read: nobody waits for it to decide
let busy = false;
let hurried = false; // to the viewer's next decision, without scenes or motion
let last = false; // whether the frame at work is the end of the game, which everybody is owed
let finish = () => {}; // says at once what waits for the pictures

/** Call `listener(frame, whole)` when a frame is in the picture, and again when it is all over the page. */
export const onFrame = (listener) => listeners.push(listener);

/** Show a frame, after those before it. */
export function show(frame) {
  queue.push(frame);
  if (queue.length > bound() && !last) leave();
  if (queue.length > bound() && !last && !pacing()) skip();
  if (!busy) work();
}

const bound = () => (slowed(1) > 1 ? UNHURRIED : WAITING);

/** Bring what is shown to its end at once: whoever decides waits for nothing. */
export function settle() {
  leave();
  skip();
  finish();
}

/** Show all as it comes until the viewer is to decide. */
export function hurry() {
  settle();
  hurried = waits();
}

const waits = () => Boolean(region("ask")) && !region("ask").querySelector(".mine, #ending");

async function work() {
  busy = true;
  document.body.classList.add("moving");
  while (queue.length) {
    await breath();
    await released();
    const frame = queue.shift();
    last = ends(frame);
    if (last) await sighted();
    const late = () => !last && (hurried || queue.length >= bound());
    const scene = stage(frame, late(), last);
    if (scene) await scene.then(released);
    await Promise.race([apply(frame, late() || frame.past ? null : still() ? sound : play), tooLong()]);
    hurried &&= waits();
    last = false;
  }
  busy = false;
  document.body.classList.remove("moving");
}

// Let the browser do what else it has to do: what was received, and each frame, is a task of its own.
const breath = () => window.scheduler?.yield?.() ?? new Promise((done) => setTimeout(done));

// What is told in beats takes the time that people take.
async function tooLong() {
  do await new Promise((done) => setTimeout(done, LONGEST));
  while (pacing());
}

// `enter` is what is done with what is new in a picture, if anything.
function apply(frame, enter) {
  finish();
  hush();
  const changes = Object.entries(frame.regions).map(([name, html]) => [region(name), html, frame.brief?.[name]]);
  const found = changes.filter(([el]) => el);
  const moving = enter ? found.filter(([el]) => el.querySelector(":scope > svg[viewBox]")) : [];
  const before = moving.map(([el]) => snapshot(el));
  const put = ([el, html, brief]) => morph(el, (brief && shortened(el, brief)) || parse(html));
  const heard = (whole) => listeners.forEach((listener) => listener(frame, whole));
  finish = () => {
    finish = () => {};
    const lost = focusLeft();
    const said = new Set([...document.querySelectorAll(".log li")].map((li) => li.id));
    found.filter((one) => !moving.includes(one)).forEach(put);
    document.title = frame.title || document.title;
    announce(unsaid(said));
    lost();
    mark();
    keep(region("ask"));
    heard(true);
  };
  moving.forEach(put);
  const motion = Promise.all(moving.map(([el], i) => enter(el, before[i])));
  if (!moving.length || moving.some(([el]) => el.querySelector(READ))) finish();
  else heard(false);
  return motion.then(finish);
}

const region = (name) => document.querySelector(`[data-region="${CSS.escape(name)}"]`);

// The HTML parser puts a whole <svg> into its namespace; regions hold no parts of one.
function parse(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return document.importNode(holder.content, true);
}

// The region in brief, if all that is to stay as it is is there.
function shortened(el, brief) {
  const wanted = parse(brief);
  const there = ({ id }) => el.querySelector(`[id="${CSS.escape(id)}"]`);
  return [...wanted.querySelectorAll("same")].every(there) ? wanted : null;
}

const CONTROLS = "button, input:not([type=hidden]), summary, a.btn";

// If the control that had the focus is gone, the focus goes to what is to be decided next, now or later:
// to nothing else, where keys would do what nobody meant, and a phone would show its keyboard.
function focusLeft() {
  const ask = region("ask");
  const inside = ask?.contains(document.activeElement);
  const waited = inside && document.activeElement === ask && !ask.querySelector("#decide");
  return () => {
    if (!inside || (ask.contains(document.activeElement) && !(waited && ask.querySelector("#decide")))) return;
    const next = [...ask.querySelectorAll(`#decide :is(${CONTROLS})`)];
    (next.find((el) => el.checkVisibility()) ?? ask).focus({ preventScroll: true });
  };
}

// What the page shows now, in words for the style sheets: to look for it with :has() in the whole table
// would cost more at each event than all scripts.
function mark() {
  const main = document.querySelector("[data-table][data-shows]");
  if (!main) return;
  const own = document.getElementById("whose")?.className.match(/seat-(\d)/);
  const there = { board: "[data-region=board] > svg", invite: "#invite", ending: "#ending" };
  const words = Object.keys(there).filter((word) => document.querySelector(there[word]));
  const shows = [...words, ...(own ? [`own-${own[1]}`] : [])].join(" ");
  if (main.dataset.shows !== shows) main.dataset.shows = shows;
}

// What is asked keeps the room that it once took: what lies below does not jump from turn to turn.
function keep(ask) {
  if (!ask || ask.querySelector("details[open], #invite, #ending")) return;
  if (wide !== innerWidth) ask.style.cssText = "";
  wide = innerWidth;
  ask.style.cssText = `--room: ${ask.offsetHeight}px`;
}

let wide = 0; // the window, when that was measured

// The lines of the log that were not there before, marked as new.
function unsaid(said) {
  const fresh = [...document.querySelectorAll(".log li[id]")].filter((li) => !said.has(li.id));
  if (!fresh.length) return fresh;
  for (const li of document.querySelectorAll(".log li.new")) li.classList.remove("new");
  for (const li of fresh) li.classList.add("new");
  for (const log of document.querySelectorAll(".log")) log.scrollTop = log.scrollHeight;
  return fresh;
}

function announce(fresh) {
  const place = document.getElementById("announcer");
  const text = (li) => [...li.childNodes].filter((n) => n.nodeName !== "A").map((n) => n.textContent).join("");
  if (fresh.length && place) place.textContent = fresh.slice(-6).map((li) => text(li).trim()).join(" ");
}
