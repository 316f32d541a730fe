// Shares in the dice: this browser promises a nonce by its hash, and shows it when the hashes of
// all are in. It remembers them, and says so if the game is played with others.

import { onFrame } from "./frames.js";
import { table } from "./live.js";
import { sha256 } from "./sha256.js";

const RETRY = 1000; // milliseconds
let sent = ""; // the phase and seats of what is under way
let timer = 0;

/** Say in forms that open a table or take a seat that this browser will send a hash. */
export function promise() {
  document.addEventListener("formdata", (event) => {
    if (event.target.matches("[data-shares]")) event.formData.set("pledge", "?");
  });
}

/** Do what a table asks for before its match. */
export function start() {
  onFrame(look);
  look();
}

function look() {
  compare();
  const asked = document.querySelector("[data-phase]");
  clearTimeout(timer);
  if (asked) timer = setTimeout(begin, Number(asked.dataset.grace) * 1000 + RETRY / 2);
  if (asked?.dataset.seats && sent !== called(asked.dataset)) send(asked.dataset);
}

const called = ({ phase, seats }) => `${phase} ${seats}`;

// The next phase may be told before this one's answer is here: it is not waited for.
async function send(asked) {
  const { phase, seats, hashes, alone } = asked;
  const now = (sent = called(asked));
  const body = new URLSearchParams();
  for (const seat of seats.split(",")) {
    if (phase === "pledges") body.set(`hash-${seat}`, sha256(nonce(seat)));
    if (phase === "nonces" || alone) body.set(`nonce-${seat}`, nonce(seat));
  }
  const own = seats.split(",").map(Number);
  if (phase === "nonces") remember("hashes", hashes);
  else if (alone) remember("hashes", all(Number(alone), (seat) => (own.includes(seat) ? sha256(nonce(seat)) : "")));
  const told = await post("share", body);
  if (sent === now) sent = "";
  if (!told) setTimeout(look, RETRY);
}

const all = (count, hash) => Array.from({ length: count }, (_, seat) => hash(seat)).join(",");

// The others do not answer: the server knows whether they have had time enough.
async function begin() {
  if (await post("begin", new URLSearchParams())) return;
  clearTimeout(timer);
  timer = setTimeout(() => document.querySelector("[data-phase]") && begin(), RETRY);
}

async function post(what, body) {
  const headers = { accept: "application/json" };
  const answer = await fetch(`${table}/${what}`, { method: "POST", body, headers }).catch(() => null);
  return answer?.ok || answer?.status === 403; // 403: not ours to send
}

function nonce(seat) {
  const known = recall(`nonce ${seat}`);
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return remember(`nonce ${seat}`, [...bytes].map((b) => b.toString(16).padStart(2, "0")).join(""));
}

// The hashes that the match is played with must be those that were there before nonces were shown.
function compare() {
  const shown = document.querySelector("[data-fixed]");
  const before = recall("hashes");
  if (shown && before) document.getElementById("shares-broken").hidden = shown.dataset.fixed === before;
}

const kept = {}; // where the browser keeps nothing

function remember(name, value) {
  kept[name] = value;
  try {
    sessionStorage.setItem(`${table} ${name}`, value);
  } catch {
    // it lasts as long as the page
  }
  return value;
}

function recall(name) {
  try {
    return kept[name] ?? sessionStorage.getItem(`${table} ${name}`);
  } catch {
    return kept[name];
  }
}
