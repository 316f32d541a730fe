// A group's page: who is here and which tables there are, looked up again every few seconds.

import { get, watch } from "./alive.js";
import { morph } from "./morph.js";
import { released } from "./press.js";

const PAUSE = 10000; // milliseconds
const page = document.querySelector("[data-group]");

/** Keep the page up to date, and let it count as open. */
export function start() {
  setInterval(() => document.hidden || look(), PAUSE);
  watch(look);
}

const typing = () => document.activeElement?.matches("input:not([readonly]), select");

async function look() {
  const html = await get(page.dataset.group, "text/html");
  const fresh = html && new DOMParser().parseFromString(html, "text/html").querySelector("[data-group]");
  await released();
  if (fresh && !typing()) morph(page, fresh);
}
