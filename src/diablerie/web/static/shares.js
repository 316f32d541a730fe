// Shares in the dice: this browser promises a nonce by its hash, and shows it when the hashes of
// all are in. It remembers them, and warns if the match is played with others or without its own, if
// a hash is there twice, and if it is asked for another nonce and the table does not say that a start
// was aborted.
//
// A nonce belongs to one commitment. One that was sent is never promised again.

import { timely } from "./alive.js";
import { onFrame } from "./frames.js";
import { keep, kept, TAB } from "./kept.js";
import { table } from "./live.js";
import { sha256 } from "./sha256.js";

const RETRY = 1000; // milliseconds
let sent = ""; // the phase, seats and commitment of what is under way
let waits = { phase: "", since: 0 }; // since when this page sees the table wait
let timer = 0;

/** Say in forms that open a table or take a seat that this browser will send a hash. */
export function promise() {
  document.addEventListener("formdata", (event) => {
    if (event.target.matches("[data-shares]")) event.formData.set("share", "1");
  });
}

/** Do what a table asks for before its match. */
export function start() {
  if (!document.getElementById("shares-broken")) return; // the screen in the middle has no part
  onFrame(look);
  look();
}

function look() {
  compare();
  const asked = document.querySelector("[data-phase]");
  plan(asked);
  if (!asked?.dataset.seats) sent = ""; // it has arrived; who is asked anew, sends anew
  else if (sent !== called(asked.dataset)) send(asked.dataset);
}

// Ask for the match without those who do not answer, when they have had time: never without this
// browser's own part, which may have been held up.
function plan(asked) {
  clearTimeout(timer);
  const phase = asked ? `${asked.dataset.phase} ${asked.dataset.commitment}` : "";
  if (phase !== waits.phase) waits = { phase, since: performance.now() };
  if (!othersOnly()) return;
  const due = waits.since + Number(asked.dataset.grace) * 1000 + RETRY / 2;
  timer = setTimeout(begin, Math.max(due - performance.now(), RETRY / 2));
}

const othersOnly = () => document.querySelector("[data-phase]")?.dataset.seats === "";

const called = ({ phase, seats, commitment }) => `${phase} ${seats} ${commitment}`;

// The next phase may be told before this one's answer is here: it is not waited for.
async function send(asked) {
  const now = (sent = called(asked));
  const body = asked.phase === "pledges" ? promises(asked) : nonces(asked);
  const told = body.size ? await post("share", body) : true;
  if (told) return; // it is not sent again while the page still shows that it is asked for
  if (sent === now) sent = "";
  setTimeout(look, RETRY);
}

// The hashes of nonces: new ones, unless they were made for this very commitment and not sent.
function promises({ seats, commitment }) {
  let start = recall("start");
  if (start?.commitment !== commitment || start.shown) start = begun(commitment, start);
  const body = new URLSearchParams();
  for (const seat of seats.split(",")) body.set(`hash-${seat}`, sha256((start.nonces[seat] ??= nonce())));
  remember("start", start);
  return body;
}

// A new start. Only where an earlier one was aborted has this browser shown a nonce before.
function begun(commitment, before) {
  if (before?.shown) {
    remember("starts", (recall("starts") ?? 0) + 1);
    remember("seen", [...(recall("seen") ?? []), ...given(before.hashes)]);
    if (before.commitment === commitment) doubt("back");
  }
  return { commitment, nonces: {} };
}

// The nonces that were promised. They count as shown before they are sent.
function nonces({ seats, commitment, hashes }) {
  const start = recall("start");
  const body = new URLSearchParams();
  if (start?.commitment !== commitment) return body; // another page of this browser promised them
  const fixed = hashes.split(",");
  const own = seats.split(",").filter((seat) => start.nonces[seat] && sha256(start.nonces[seat]) === fixed[seat]);
  if (!own.length) return body;
  if (repeated(given(hashes))) doubt("twice");
  remember("start", { ...start, shown: true, hashes });
  for (const seat of own) body.set(`nonce-${seat}`, start.nonces[seat]);
  return body;
}

const given = (hashes) => hashes.split(",").filter(Boolean);

function repeated(hashes) {
  const seen = recall("seen") ?? [];
  return new Set(hashes).size < hashes.length || hashes.some((hash) => seen.includes(hash));
}

// The others do not answer: the server knows whether they have had time enough.
async function begin() {
  if (await post("begin", new URLSearchParams())) return;
  clearTimeout(timer);
  timer = setTimeout(() => othersOnly() && begin(), RETRY);
}

async function post(what, body) {
  const headers = { accept: "application/json" };
  const answer = await timely(fetch(`${table}/${what}`, { method: "POST", body, headers })).catch(() => null);
  return answer?.ok || answer?.status === 403; // 403: not ours to send
}

function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}

// The match must be played with the hashes that were there before nonces were shown, and the table
// must tell of as many aborted starts as this browser has seen.
function compare() {
  const played = document.querySelector("[data-fixed]")?.dataset.fixed;
  const start = recall("start");
  const told = Number(document.querySelector("[data-aborted]")?.dataset.aborted ?? 0);
  if (played && start?.shown && played !== start.hashes) doubt("other");
  if (document.querySelector("[data-without]")) warn("missing");
  if ((recall("starts") ?? 0) > told) doubt("back");
  warn(recall("wrong"));
}

function doubt(wrong) {
  remember("wrong", wrong);
  warn(wrong);
}

function warn(wrong) {
  const notice = document.getElementById("shares-broken");
  if (!wrong || !notice.hidden) return;
  notice.textContent = notice.dataset[wrong];
  if (notice.dataset.help) {
    const link = document.createElement("a");
    link.href = "/trouble#a-warning-about-the-dice";
    link.textContent = notice.dataset.help;
    notice.append(" ", link);
  }
  notice.hidden = false;
}

const remembered = {}; // as long as the page, where the browser keeps nothing

function remember(name, value) {
  remembered[name] = value;
  keep(`${table} ${name}`, JSON.stringify(value), TAB);
}

const recall = (name) => remembered[name] ?? JSON.parse(kept(`${table} ${name}`, TAB) || "null");
