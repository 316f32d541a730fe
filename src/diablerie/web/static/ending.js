// The end of a game: when it comes, the devils step on the podium, and a reader hears one sentence.

import { onFrame } from "./frames.js";
import { play, sound, still } from "./motion.js";
import { pacing } from "./pacing.js";
import { released } from "./press.js";
import { quiet } from "./stage.js";

const NOTHING = { places: new Map(), entered: new Set() }; // was there before
const podium = () => document.querySelector("[data-announce]");
const GLIDE = 2000; // milliseconds after which the page has arrived
let there = false;

/** Look at every frame whether the end has come. */
export function start() {
  there = Boolean(podium());
  onFrame(() => {
    const end = podium();
    if (end && !there) come(end);
    there = Boolean(end);
  });
}

async function come(end) {
  while (pacing()) await new Promise((later) => setTimeout(later, 100));
  const place = document.getElementById("announcer");
  if (place) place.textContent = end.dataset.announce;
  await released();
  bring(end);
  quiet(); // a scene that stands still beside it
  (still() ? sound : play)(end, NOTHING);
}

// Bring it into sight. Who presses something meanwhile stops the way there, or what is pressed would go
// on moving under the pointer.
function bring(end) {
  end.scrollIntoView({ behavior: still() ? "instant" : "smooth" });
  const stop = () => {
    for (let el = end; el; el = el.parentElement) el.scrollTo({ top: el.scrollTop, behavior: "instant" });
  };
  addEventListener("pointerdown", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("pointerdown", stop, true), GLIDE);
}
