// The page's script: it knows no rules. Without it everything works by forms and reloading.

import * as alive from "./alive.js";
import * as assign from "./assign.js";
import * as calls from "./calls.js";
import * as choose from "./choose.js";
import * as clock from "./clock.js";
import * as controls from "./controls.js";
import * as ending from "./ending.js";
import * as faces from "./faces.js";
import * as fan from "./fan.js";
import * as fields from "./fields.js";
import * as fold from "./fold.js";
import { hurry } from "./frames.js";
import * as group from "./group.js";
import * as hand from "./hand.js";
import * as heartbeat from "./heartbeat.js";
import * as lesson from "./lesson.js";
import * as live from "./live.js";
import * as names from "./names.js";
import * as nudge from "./nudge.js";
import * as offline from "./offline.js";
import * as postcard from "./postcard.js";
import * as press from "./press.js";
import * as print from "./print.js";
import * as reel from "./reel.js";
import * as replay from "./replay.js";
import * as screen from "./screen.js";
import * as shares from "./shares.js";
import * as sounds from "./sounds.js";
import * as spots from "./spots.js";
import * as stage from "./stage.js";
import * as turning from "./turning.js";
import * as walk from "./walk.js";

document.documentElement.classList.add("scripted"); // shows what only works with a script
alive.start();
press.start();
fields.start();
fields.knows();
shares.promise();
calls.install();
sounds.start();
stage.start();
calls.settings();
reel.start();
print.start();
document.addEventListener("click", (event) => event.target.closest("[data-skip]") && hurry());
if (matchMedia("(hover: none)").matches) addEventListener("click", ask); // a sentence, for its rule
for (const log of document.querySelectorAll(".log")) log.scrollTop = log.scrollHeight;

if (document.querySelector("[data-table]")) {
  fold.start();
  clock.start();
  calls.start();
  nudge.start();
  live.start();
  ending.start();
  faces.start();
  heartbeat.start();
  shares.start();
  controls.start();
  hand.start();
  screen.start();
}
if (document.querySelector("[data-table], [data-lesson]")) {
  spots.start();
  turning.start();
  choose.start();
  assign.start();
}
fan.start();
names.start();
if (document.querySelector("[data-lesson]")) lesson.start();
if (document.querySelector("[data-table], [data-lesson]")) walk.start();
if (document.querySelector("[data-group]")) group.start();
if (document.querySelector("[data-postcard]")) postcard.start();
if (document.querySelector("[data-replay]")) replay.start();
if (document.querySelector("[data-offline]")) offline.start();

function ask({ target }) {
  const line = target.closest("a, button") ? null : target.closest(".log li:has(a.clause)");
  line?.setAttribute("tabindex", "-1");
  line?.focus({ preventScroll: true });
}
