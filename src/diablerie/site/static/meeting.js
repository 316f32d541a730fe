// One link for all friends: host and guests find each other at a meeting point, in a room that the link
// names. A guest says that it is there, the host answers with an offer, and the guest with its answer.
//
// Every text is encrypted with the key of the link, and bound to who speaks, to the room and to the text
// that it answers: so the point reads nothing, and can hand no text to somebody else than it was for.
// Everybody who has the link has the key, too. Therefore a guest goes to no other host than the one
// whose certificate the link names, and the host knows a guest by the certificate alone. Whoever holds
// the point and the link can keep others out, and no more.

import { lettered, read, Remote } from "./friends.js";

const LINK = /(?:^|#meet=)([\w-]{22})~([\w-]{22})~([\w-]{43})(?![\w-])/;
const SECRET = 16; // bytes of a room's name, and of a key
const START = 12; // bytes before an encrypted text that make it another one each time (AES-GCM)
const LONGEST_TEXT = 4096; // letters, as at the point (routes/meeting.py)
const MOST_TEXTS = 64; // that are read at once
const LONGEST_ANSWER = 1 << 19; // bytes of what a point says
const PATIENCE = 30000; // milliseconds in which a point says something
const FIRST = 5000; // the same for the first time, while somebody looks on
const PAUSE = 300; // milliseconds between two questions to a point, which may answer at once
const LONGEST_PAUSE = 15000; // milliseconds until a point is asked again that did not answer
const AGAIN = 15000; // milliseconds until a guest says anew that it is there
const CONNECTING = 20000; // milliseconds that host and guest try to reach each other
const MOST_ASKING = 8; // guests who are let in at the same time
const MOST_GUESTS = 32; // who are here
const LONGEST_NAME = 24; // letters of a person's name, as at tables
const [HOST, GUEST] = ["host", "guest"];
const AWAY = "away"; // what a guest is told who was sent away

/** What a link says: room, key and fingerprint; null if it is not complete. */
export function readLink(text) {
  const [, room, key, fingerprint] = text.replaceAll("%7E", "~").match(LINK) ?? [];
  return room ? { room, key, fingerprint } : null;
}

/** A new room, and its key. */
export const newRoom = () => ({ room: lettered(crypto.getRandomValues(new Uint8Array(SECRET))), key: lettered(crypto.getRandomValues(new Uint8Array(SECRET))) });

const bytesOf = (letters) => Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const pause = (duration) => new Promise((later) => setTimeout(later, duration));

// -- texts in a room -------------------------------------------------------------------------------

/** A room at a meeting point, until `close`. */
export class Room {
  #key;
  #last = null; // the number of the last text that was read
  #closed = new AbortController();

  /** point: its address, without a slash at the end; room, key: of the link. */
  constructor(point, { room, key }) {
    Object.assign(this, { url: `${point}/meet/${room}`, room });
    this.#key = crypto.subtle.importKey("raw", bytesOf(key), "AES-GCM", false, ["encrypt", "decrypt"]);
  }

  get closed() {
    return this.#closed.signal.aborted;
  }

  close() {
    this.#closed.abort();
  }

  /** A text as it lies in the room. role: who says it; answered: the text there that it answers, "" for none. */
  async sealed(text, role, answered) {
    const iv = crypto.getRandomValues(new Uint8Array(START));
    const encrypted = await crypto.subtle.encrypt(this.#bound(iv, role, answered), await this.#key, new TextEncoder().encode(text));
    return lettered([...iv, ...new Uint8Array(encrypted)]);
  }

  /** What a text in the room says, if it was said by this role in answer to that text; else null. */
  async opened(text, role, answered) {
    try {
      const bytes = bytesOf(text);
      const bound = this.#bound(bytes.subarray(0, START), role, answered);
      return new TextDecoder().decode(await crypto.subtle.decrypt(bound, await this.#key, bytes.subarray(START)));
    } catch {
      return null;
    }
  }

  #bound(iv, role, answered) {
    return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(JSON.stringify([role, this.room, answered])) };
  }

  /** Leave a text. Throws an error if the point does not take it. */
  async put(text) {
    await this.#asked(this.url, { method: "POST", body: text }, FIRST);
  }

  /** All texts, as they come, those first that are there. heard: is told whether the point answers, as that changes. */
  async *texts(heard) {
    for (let failed = 0; !this.closed; await pause(PAUSE)) {
      try {
        const found = await this.next();
        if (failed) heard(true);
        failed = 0;
        yield* found;
      } catch (error) {
        if (this.closed) return;
        if (!failed) heard(false, error);
        failed += 1;
        await pause(Math.min(1000 * 2 ** failed, LONGEST_PAUSE));
      }
    }
  }

  /** The texts since the last time; the first time at once, later as soon as there are any. Throws an error. */
  async next() {
    const first = this.#last === null;
    const answer = await this.#asked(first ? this.url : `${this.url}?after=${this.#last}`, {}, first ? FIRST : PATIENCE);
    const { last, texts } = JSON.parse(answer);
    if (!Number.isSafeInteger(last) || last < 0 || !Array.isArray(texts)) throw new Error("this is no meeting point");
    this.#last = last;
    return texts.filter((one) => typeof one === "string" && one.length <= LONGEST_TEXT && /^[\w-]+$/.test(one)).slice(-MOST_TEXTS);
  }

  /** What the point answers, which nobody trusts: neither its length nor that it ends. */
  async #asked(url, request, patience) {
    const stop = new AbortController();
    const end = () => stop.abort();
    this.#closed.signal.addEventListener("abort", end);
    const late = setTimeout(end, patience);
    try {
      if (this.closed) throw new Error("the room is closed");
      const privately = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error", mode: "cors" };
      const answer = await fetch(url, { ...request, ...privately, signal: stop.signal });
      if (!answer.ok) throw new Error(`the meeting point answers ${answer.status}`);
      return await limited(answer);
    } finally {
      clearTimeout(late);
      this.#closed.signal.removeEventListener("abort", end);
    }
  }
}

/** The text of an answer. Throws an error if it is too long. */
async function limited(answer) {
  if (!answer.body) return "";
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > LONGEST_ANSWER) {
      await reader.cancel();
      throw new Error("the meeting point says too much");
    }
  }
  return text;
}

// -- the host --------------------------------------------------------------------------------------

/** Lets guests in who ask in a room (event `change`: somebody asks, has come or gone; `heard`: whether the point answers). */
export class Door extends EventTarget {
  #asking = new Map(); // by what they said: { by, channel, offer (as it lies in the room), answered }
  #names = new Map(); // by fingerprint

  /**
   * room: a `Room`; host: makes offers, see `Host`; version: of the site; welcome: gives the page that
   * guests see first, null if there is none any longer; away: a set with the fingerprints of who was
   * sent away.
   */
  constructor({ room, host, version, welcome, away }) {
    super();
    Object.assign(this, { room, host, version, welcome, away, reached: true });
    this.guestCame = ({ detail }) => this.#came(detail);
    this.guestLeft = () => this.#changed();
    host.addEventListener("guest", this.guestCame);
    host.addEventListener("gone", this.guestLeft);
  }

  /** Listen until the door is closed. */
  async listen() {
    const heard = (reached, error) => {
      if (error) console.warn(error);
      this.reached = reached;
      this.dispatchEvent(new Event("heard"));
    };
    for await (const text of this.room.texts(heard)) await this.#hear(text).catch(console.warn);
  }

  close() {
    this.room.close();
    this.host.removeEventListener("guest", this.guestCame);
    this.host.removeEventListener("gone", this.guestLeft);
    for (const said of [...this.#asking.keys()]) this.#forget(said);
  }

  /** Who asks and who is here: `{ who, by, here }`; who: a fingerprint, of those who are here. */
  people() {
    const here = [...new Set(this.host.present.map(({ who }) => who))];
    const names = here.map((who) => ({ who, by: this.#names.get(who) ?? "", here: true }));
    return [...names, ...[...this.#asking.values()].map(({ by }) => ({ by, here: false }))];
  }

  /** End a guest's connections, and let that browser in by this link no more. */
  sendAway(who) {
    this.away.add(who);
    for (const { name, who: one } of this.host.present) if (one === who) this.host.leave(name, { away: true });
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  async #hear(text) {
    const known = this.#asking.get(text);
    if (known) return this.#repeat(known);
    const said = await this.room.opened(text, GUEST, "");
    if (said !== null) return void this.#asked(text, name(said)).catch((error) => (console.warn(error), this.#forget(text)));
    for (const one of this.#asking.values()) {
      const answer = one.offer && !one.answered ? await this.room.opened(text, GUEST, one.offer) : null;
      if (answer !== null) return this.#answered(one, text, answer);
    }
    return null;
  }

  /** A guest still waits: the offer may have been lost. */
  async #repeat(one) {
    const now = performance.now();
    if (!one.offer || one.answered || now < one.again) return;
    one.again = now + AGAIN / 3;
    await this.room.put(one.offer);
  }

  /** Make an offer to who has said this. */
  async #asked(said, by) {
    if (this.#asking.size >= MOST_ASKING || this.host.guests + this.#asking.size >= MOST_GUESTS) return;
    const one = { by, again: performance.now() + AGAIN / 3 };
    this.#asking.set(said, one);
    setTimeout(() => this.#forget(said), 2 * CONNECTING);
    this.#changed();
    const path = await this.welcome();
    if (!path || this.room.closed) return this.#forget(said);
    const offer = await this.host.invite(path, this.version);
    one.channel = read(offer).name;
    if (this.#asking.get(said) !== one) return this.host.withdraw(one.channel);
    one.offer = await this.room.sealed(offer, HOST, said);
    await this.room.put(one.offer);
  }

  async #answered(one, text, answer) {
    const about = read(answer);
    if (!about || about.version || about.name !== one.channel) return;
    if (this.away.has(about.fingerprint)) return this.room.put(await this.room.sealed(AWAY, HOST, text));
    one.answered = true;
    this.#names.set(about.fingerprint, one.by);
    await this.host.accept(answer);
  }

  #came({ name: channel }) {
    for (const [said, one] of this.#asking) if (one.channel === channel) this.#asking.delete(said);
    this.#changed();
  }

  /** Somebody who asked has not come. */
  #forget(said) {
    const one = this.#asking.get(said);
    if (!this.#asking.delete(said)) return;
    if (one.channel) this.host.withdraw(one.channel);
    this.#changed();
  }
}

/** The name of a person who asks, as far as it is one. */
function name(said) {
  try {
    const { by } = JSON.parse(said);
    return typeof by === "string" ? by.replace(/\p{C}/gu, "").trim().slice(0, LONGEST_NAME) : "";
  } catch {
    return "";
  }
}

// -- a guest ---------------------------------------------------------------------------------------

/**
 * Ask in a room until its host lets this browser in, and close it. Gives `remote`, the pages at the other
 * end, and `path`, the first of them; null once somebody closes `room`. Throws an error: "differs" if the
 * host has another version of the site, "away" if it lets this browser in no more.
 * told: is called with what goes on: "asking", "unheard" (the point does not answer), "apart" (the host
 * has answered, and is not reached).
 */
export async function entered({ room, told, ...about }) {
  let attempt = null;
  const listen = async () => {
    for await (const text of room.texts((reached) => told(reached ? "asking" : "unheard"))) attempt.hear(text).catch((error) => attempt.fails(error));
    attempt.settle.done(null);
  };
  try {
    for (told("asking"); !room.closed; told("apart")) {
      const before = attempt;
      attempt = new Attempt(room, about, told);
      if (!before) listen();
      const found = await attempt.settled;
      if (found) return found;
      await pause(PAUSE);
    }
    return null;
  } finally {
    room.close();
  }
}

/** One attempt: `settled` is null if it has failed. */
class Attempt {
  #said = null; // what lies in the room, at first, and then
  #answer = null;
  #answering = false;
  #remote = new Remote();

  constructor(room, about, told) {
    Object.assign(this, { room, about });
    this.settled = new Promise((done, failed) => (this.settle = { done, failed })).then((found) => this.#end(found), (error) => (this.#end(), Promise.reject(error)));
    const say = () => this.#say().then(() => this.unsaid && told("asking"), (error) => (console.warn(error), (this.unsaid = true), told("unheard")));
    this.again = setInterval(say, AGAIN);
    say();
  }

  /** Say that somebody is here, until the host answers. */
  async #say() {
    if (this.#answering || this.room.closed) return;
    this.#said ??= await this.room.sealed(JSON.stringify({ by: this.about.by }), GUEST, "");
    await this.room.put(this.#said);
  }

  async hear(text) {
    if (this.#answer && (await this.room.opened(text, HOST, this.#answer)) === AWAY) return this.settle.failed(new Error("away"));
    const offer = this.#said && !this.#answering ? read((await this.room.opened(text, HOST, this.#said)) ?? "") : null;
    // only who holds the key of this certificate is the host that has made the link
    if (offer?.fingerprint !== this.about.fingerprint || this.#answering) return null;
    if (offer.version !== this.about.version) return this.settle.failed(new Error("differs"));
    this.#answering = true;
    setTimeout(() => this.settle.done(null), CONNECTING);
    const answer = await this.room.sealed(await this.#remote.answer(offer, this.about.ice), GUEST, text);
    this.#answer = answer;
    await this.room.put(answer);
    return this.settle.done({ remote: this.#remote, path: await this.#remote.welcome });
  }

  /** What came cannot be used. */
  fails(error) {
    console.warn(error);
    this.settle.done(null);
  }

  #end(found) {
    clearInterval(this.again);
    if (!found) this.#remote.close();
    return found;
  }
}
