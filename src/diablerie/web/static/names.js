// Pieces of the picture that a sentence in sight names (`data-names`) have the class `named`: they show
// their numbers then, and only then. A lesson, and a list of what may be done there, speak of all that
// may be picked.

import { onFrame } from "./frames.js";

const LATEST = ".latest > li:nth-last-child(-n + 3)";
const SAID = `#prompt, [data-hints], .hint-list, ${LATEST}, #replay-log, [data-region=board]`;
const LISTED = ".actions button[name=do]";

/** Keep it so. */
export function start() {
  document.addEventListener("toggle", name, true);
  onFrame(() => name());
  name();
}

/** Look anew at what is named. */
export function name() {
  const said = document.querySelectorAll(`:is(${SAID}) [data-names]`);
  const named = new Set([...said].map((el) => document.getElementById(el.dataset.names)));
  if (lists()) for (const el of document.querySelectorAll("[data-region=board] [data-pick]")) named.add(el);
  for (const el of document.querySelectorAll(".named")) if (!named.has(el)) el.classList.remove("named");
  for (const el of named) el?.classList.add("named");
}

function lists() {
  if (document.querySelector("[data-lesson]")) return true;
  const shown = [...document.querySelectorAll(LISTED)].filter((el) => !el.closest("details:not([open])"));
  const spots = [...document.querySelectorAll("[data-region=board] [data-for] [data-action]")];
  const actions = new Set(spots.map((el) => el.dataset.action));
  return shown.some((el) => actions.has(el.value));
}
