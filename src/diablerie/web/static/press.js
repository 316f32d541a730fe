// Presses: nothing moves or covers what a pointer is pressing, or the browser makes no click of it.
// What would change the page in between waits until the pointer is up.

const LONGEST = 1000; // milliseconds that anything waits: one may hold a button down, to select text
const CLICK = 50; // after the pointer is up, by when its click has come, a finger's too

const waiting = []; // what is to go on then
let down = false;
let limit = 0;

/** Notice when pointers go down and up. */
export function start() {
  addEventListener("pointerdown", press, true);
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, release, true);
}

/** Resolves when nothing is pressed, now or as soon as the pointer is up. */
export const released = () => (down ? new Promise((done) => waiting.push(done)) : Promise.resolve());

function press(event) {
  if (!event.isPrimary || event.button !== 0) return;
  down = true;
  clearTimeout(limit);
  limit = setTimeout(release, LONGEST);
}

function release() {
  down = false;
  clearTimeout(limit);
  setTimeout(() => waiting.splice(0).forEach((done) => done()), CLICK);
}
