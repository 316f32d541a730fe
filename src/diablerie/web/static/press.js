// Presses: nothing moves or covers what a pointer is pressing, or the browser makes no click of it.
// What would change the page in between waits until the pointer is up.

const LONGEST = 1000; // milliseconds that anything waits: one may hold a button down, to select text
const CLICK = 50; // after the pointer is up, by when its click has come, a finger's too

const waiting = []; // callbacks
let down = false;
let limit = 0;

/** Notice when pointers go down and up. */
export function start() {
  addEventListener("pointerdown", press, true);
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, release, true);
}

/** Whether a pointer is pressing something. */
export const pressed = () => down;

/** Call `listener` now, or as soon as nothing is pressed any more. */
export function whenReleased(listener) {
  if (down) waiting.push(listener);
  else listener();
}

function press(event) {
  if (!event.isPrimary || event.button !== 0) return;
  down = true;
  clearTimeout(limit);
  limit = setTimeout(release, LONGEST);
}

function release() {
  down = false;
  clearTimeout(limit);
  setTimeout(() => waiting.splice(0).forEach((listener) => listener()), CLICK);
}
