// The page that says that the server cannot be reached: it gives way as soon as that has changed.

import { get, tell, watch } from "./alive.js";
import { revisit } from "./visit.js";

/** Go as soon as the server answers; not where this page itself was asked for. */
export function start() {
  if (location.pathname === "/offline") return;
  watch(look);
  tell(true);
}

async function look() {
  if ((await get("/healthz", "application/json")) !== null) revisit();
}
