// The reel: some turns of a real game on the front page, over and over, while they can be seen. A
// press on its button holds it, and where motion is not wanted its first picture stays.

import { show } from "./frames.js";
import { still } from "./motion.js";
import { slowed } from "./pacing.js";

const REST = 1400; // milliseconds that a picture is looked at

/** Play the reel, if the page has one. */
export async function start() {
  const reel = document.querySelector("[data-reel]");
  const answer = reel && !still() && (await fetch(reel.dataset.reel).catch(() => null));
  if (!answer?.ok) return;
  const pictures = unfolded(await answer.json());
  const button = reel.querySelector("button");
  button.hidden = false;
  button.addEventListener("click", () => button.setAttribute("aria-pressed", String(button.ariaPressed !== "true")));
  for (let n = 1; ; n = (n + 1) % pictures.length) {
    do await new Promise((later) => setTimeout(later, slowed(REST)));
    while (still() || button.ariaPressed === "true" || !seen(reel));
    show({ regions: { reel: pictures[n] } });
  }
}

const seen = (el) => el.getBoundingClientRect().bottom > 0 && el.getBoundingClientRect().top < innerHeight;

// The first comes whole, in parts; each other one as a patch of the one before (see live.js).
function unfolded([first, ...patches]) {
  const all = [first];
  for (const patch of patches) all.push(patch.flatMap((part) => (typeof part === "string" ? [part] : all.at(-1).slice(part[0], part[0] + part[1]))));
  return all.map((parts) => parts.join(""));
}
