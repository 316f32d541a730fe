// The live connection: one stream for the page, asked for again whenever it may have died.

import { get, heard, patience, silence, tell, watch } from "./alive.js";
import { onFrame, show } from "./frames.js";
import { keep, kept, TAB } from "./kept.js";
import { claim, giveUp, watchTabs } from "./tabs.js";
import { revisit, visit } from "./visit.js";

const HIDDEN = 30000; // milliseconds that a page keeps its stream while nobody looks
const ASK = 3000; // between two requests of a page in sight that has no stream
const SELDOM = 15000; // and of one that is hidden
const PATIENCE = 2500; // milliseconds before a lost connection is told

const main = document.querySelector("[data-table]");
const state = { source: null, query: "", have: "", retry: 0, without: false, hidden: 0 };

/** The table's own address. */
export const table = main ? `/t/${main.dataset.table}` : "";

const GONE = `${table} gone`; // kept: the page was loaded anew, and nothing has come since

/** Open the stream for the viewpoint that the page shows. */
export function start() {
  state.query = queryOf(main.dataset.url);
  state.have = main.dataset.have;
  state.without = document.hidden && !called();
  open();
  watch(open);
  watchTabs(() => state.without || letGo());
  onFrame(() => outgrown() && revisit());
  document.addEventListener("visibilitychange", looked);
  addEventListener("focus", () => (state.without ? looked() : claim()));
  addEventListener("pagehide", letGo);
  addEventListener("pageshow", (event) => event.persisted && looked());
  setTimeout(ask, ASK);
}

// Whoever came as a watcher has got a seat, or somebody has taken over from a devil where all others
// were devils: there is a chat now, and whatever else a page has for its people.
function outgrown() {
  if (!main.dataset.own) return Boolean(document.getElementById("whose"));
  const others = [...document.querySelectorAll(".player:not(.driven)")].filter((el) => !main.dataset.own.split(",").includes(el.id.slice(5)));
  return others.length > 0 && !document.querySelector(".talk-chat");
}

// A page that is called listens while it is hidden, too, as long as there are streams to be had.
const called = () => ["sound", "vibration"].some((name) => name in document.documentElement.dataset) || kept("call");

function looked() {
  clearTimeout(state.hidden);
  if (resting()) return letGo();
  if (document.hidden) state.hidden = setTimeout(() => called() || letGo(), HIDDEN);
  else if (state.without) {
    state.without = false;
    open();
  }
}

// Give the stream to others; what is new is asked for from time to time.
function letGo() {
  state.without = true;
  close();
  giveUp();
}

async function ask() {
  if (state.without && !resting()) await refresh(true);
  setTimeout(ask, document.hidden ? SELDOM : ASK);
}

/** Go on to another viewpoint of this table (another seat, a draft), or to another page. */
export async function go(url) {
  const target = new URL(url, location.href);
  if (target.pathname !== table) return visit(url);
  if (target.search === (state.query && `?${state.query}`)) return soon();
  state.query = target.search.slice(1);
  history.replaceState(null, "", target);
  state.have = "";
  open();
}

// The stream brings what was done; only if it does not, ask.
function soon() {
  const had = state.have;
  setTimeout(() => state.have === had && refresh(), 1200);
}

/** Ask for the page's regions as they are now; what led to them is `past` for who has no stream. */
export async function refresh(past = false) {
  const asked = state.query;
  const frame = JSON.parse(await get(`${table}/frame?${asked}`, "application/json"));
  if (!frame || asked !== state.query) return; // it is of another viewpoint by now
  if (made(frame.id) !== made(main.dataset.have)) return gone(); // this page came before an update
  if (!past || frame.id !== state.have) take({ ...frame, past }, frame.id);
}

// The end of a frame's id tells which scripts and style sheets go with it.
const made = (id) => id.split(".")[2];

const queryOf = (url) => new URL(url, location.href).search.slice(1);

/** Connect anew, to be told by what this browser has just chosen. */
export function open() {
  close();
  if (resting() || state.without) return;
  claim();
  const have = state.have ? `&have=${encodeURIComponent(state.have)}` : "";
  state.source = new EventSource(`${table}/stream?${state.query}${have}&edits=1`);
  replaceIfDead(state.source);
  state.source.onopen = () => {
    told.clear(); // a new connection tells everything once before it tells only changes
    connected();
  };
  state.source.onmessage = (event) => take(whole(JSON.parse(event.data)), event.lastEventId);
  state.source.addEventListener("beat", beats);
  state.source.addEventListener("gone", gone);
  state.source.onerror = lost;
}

// What this connection told of each region: its parts.
const told = new Map();

// A frame whose regions are patches of what was told before, with all of them in full; and `brief`,
// where elements that stay as they are stand as `<same id=…>`.
function whole(frame) {
  frame.brief = {};
  for (const [name, region] of Object.entries(frame.regions)) {
    const [patch, old] = [typeof region === "string" ? [region] : region, told.get(name) ?? []];
    const parts = patch.map((part) => mended(part, old));
    told.set(name, parts.flat());
    frame.regions[name] = parts.flat().join("");
    frame.brief[name] = patch.map((part, i) => (part.length === 2 && typeof part !== "string" ? parts[i].map(same) : parts[i]).join("")).join("");
  }
  return frame;
}

// The parts that an item of a patch stands for: new text, a run of old parts, or an edit of one.
function mended(item, old) {
  if (typeof item === "string") return [item];
  const [place, many, after, between] = item;
  if (between === undefined) return old.slice(place, place + many);
  const part = old[place];
  return [part.slice(0, many) + between + part.slice(part.length - after)];
}

const OWN = /data-(cycle|choice|card|slot|assign)/; // what the script changes is told again

// A part that is one whole element with an id need not be read again.
function same(part) {
  const [, tag, id] = part.match(/^<([a-z]+)\b[^>]*? id="([^"]*)"/) ?? [];
  const alone = tag && (part.endsWith(`</${tag}>`) || (part.endsWith("/>") && !part.lastIndexOf("<")));
  return alone && !OWN.test(part) ? `<same id="${id}"></same>` : part;
}

function close() {
  state.source?.close();
}

function take(frame, id) {
  beats();
  state.have = id;
  const dropped = queryOf(frame.url) !== state.query; // a draft that no longer stands
  if (dropped) {
    state.query = queryOf(frame.url);
    history.replaceState(null, "", frame.url);
  }
  show(frame);
  if (dropped) open(); // or the stream would bring the draft back as soon as it can be played again
}

function connected() {
  heard();
  state.retry = 0;
}

function beats() {
  keep(GONE, "", TAB);
  connected();
}

// What is asked for over a dead connection never comes, nor does an error.
function replaceIfDead(source) {
  setTimeout(() => source === state.source && source.readyState === EventSource.CONNECTING && open(), patience());
}

function lost() {
  const source = state.source;
  const delay = Math.min(500 * 2 ** state.retry++, 8000);
  if (source.readyState === EventSource.CLOSED) setTimeout(() => source === state.source && open(), delay);
  else replaceIfDead(source);
  setTimeout(() => {
    if (silence() >= PATIENCE && state.source.readyState !== EventSource.OPEN) tell(true);
  }, PATIENCE);
}

// A browser that is called by web push is not here while nobody looks: else it would not be called.
const resting = () => document.hidden && kept("push");

// The page is loaded anew, but not again if that brought nothing: it would go in a circle.
function gone() {
  close();
  if (kept(GONE, TAB)) return;
  keep(GONE, "1", TAB);
  revisit();
}
