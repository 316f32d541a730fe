// The end of a game: when it comes, the devils step on the podium, and a reader hears one sentence.

import { onFrame } from "./frames.js";
import { play, sound, still } from "./motion.js";
import { pacing } from "./pacing.js";

const NOTHING = { places: new Map(), entered: new Set() }; // was there before
const podium = () => document.querySelector("[data-announce]");
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
  end.scrollIntoView({ behavior: still() ? "instant" : "smooth" });
  (still() ? sound : play)(end, NOTHING);
}
