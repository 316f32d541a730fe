// The page that says that the server cannot be reached: it gives way as soon as that has changed.

import { get, watch } from "./alive.js";
import { revisit } from "./visit.js";

const PAUSE = 5000; // milliseconds

/** Look again and again for the server; not where this page itself was asked for. */
export function start() {
  if (location.pathname === "/offline") return;
  watch(look);
  setInterval(look, PAUSE);
}

async function look() {
  if ((await get("/healthz", "application/json")) !== null) revisit();
}
