// A group's page: who is here and which tables there are, looked up again every few seconds.

import { morph } from "./morph.js";

const PAUSE = 10000; // milliseconds
const page = document.querySelector("[data-group]");

/** Keep the page up to date, and let it count as open. */
export function start() {
  setInterval(() => document.hidden || typing() || look(), PAUSE);
}

const typing = () => document.activeElement?.matches("input:not([readonly]), select");

async function look() {
  const answer = await fetch(page.dataset.group, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-group]");
  if (fresh && !typing()) morph(page, fresh);
}
