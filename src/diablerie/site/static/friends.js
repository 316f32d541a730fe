// Friends without a server: one browser has the pages, the others reach them over data channels. Two
// texts make a channel: an offer, in the link that a guest opens, and the answer that comes back.
//
// Nothing secret travels. Each side shows a certificate: a text has its fingerprint, and a channel opens
// only between browsers that have the keys (DTLS). So the host knows a guest by a fingerprint, and a
// guest lets in no other host than the one that its link names.

import { named } from "./names.js";

const LABEL = "diablerie";
const GATHERING = 3000; // milliseconds until an offer or answer goes out with the addresses found so far
const AGAIN = 3000; // milliseconds between attempts to reach a host that does not answer
const FAREWELL = 3000; // milliseconds
const FULL = 1 << 20; // bytes that wait in a channel until no more are put there
const LONGEST_QUEUE = 8 << 20; // bytes that wait for a guest who does not read them
const LARGEST_MESSAGE = 1 << 18; // bytes that browsers take as one message
const MOST_ADDRESSES = 8; // that a text makes a browser send to
const LASTING = 365 * 24 * 3600 * 1000; // milliseconds that a certificate is valid: browsers allow no more
const OWN = "own"; // the host's certificate; a guest's has the name of its host's fingerprint

// -- the texts -------------------------------------------------------------------------------------

// [version~]name~fragment~password~fingerprint~address~address…: version of an offer alone
const TEXT = /(?:([0-9a-f]{12})~)?([\w-]{8})~([\w+/]{4,256})~([\w+/]{22,256})~([\w-]{43})((?:~[\w.:-]{1,80}_\d{1,5}(?!\d))+)/g;
const ESCAPES = 3; // times that messengers may have escaped a text
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** What of a description is its own, in a text for an address: name, credentials, fingerprint, where. */
export function cut({ sdp }, name, version) {
  const [, fragment] = sdp.match(/a=ice-ufrag:(\S+)/);
  const [, password] = sdp.match(/a=ice-pwd:(\S+)/);
  const [, hex] = sdp.match(/a=fingerprint:sha-256 (\S+)/i);
  const fingerprint = lettered(hex.split(":").map((pair) => parseInt(pair, 16)));
  const found = [...sdp.matchAll(/a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (\w+)/gi)].map(([, address, port, kind]) => ({ kind, place: `${address}_${port}` }));
  const near = found.filter(({ kind }) => kind === "host");
  const far = found.filter(({ kind }) => kind !== "host");
  const places = [...near.slice(0, Math.max(1, MOST_ADDRESSES - far.length)), ...far].slice(0, MOST_ADDRESSES).map(({ place }) => place);
  return [...(version ? [version] : []), name, fragment, password, fingerprint, ...places].join("~");
}

/** What a text says; the longest one in what somebody has pasted. Null if there is none. */
export function read(pasted) {
  let plain = String(pasted).replace(INVISIBLE, "");
  for (let k = 0; k < ESCAPES; k += 1) plain = plain.replace(/%([2-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  const found = [...plain.matchAll(TEXT)].sort((one, other) => other[0].length - one[0].length)[0];
  if (!found) return null;
  const [, version = "", name, fragment, password, fingerprint, where] = found;
  const places = where.split("~").slice(1, MOST_ADDRESSES + 1);
  return { version, name, fragment, password, fingerprint, places };
}

/** The description that a text was cut from. */
function whole({ fragment, password, fingerprint, places }, type) {
  const bytes = [...atob(fingerprint.replaceAll("-", "+").replaceAll("_", "/"))].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase());
  const lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", ...places.map((place, at) => `a=${candidate(place, places.length - at)}`),
    `a=ice-ufrag:${fragment}`, `a=ice-pwd:${password}`, `a=fingerprint:sha-256 ${bytes.join(":")}`,
    `a=setup:${type === "offer" ? "actpass" : "active"}`, "a=mid:0", "a=sctp-port:5000", `a=max-message-size:${LARGEST_MESSAGE}`, "",
  ];
  return { type, sdp: lines.join("\r\n") };
}

/** Where a browser may be found; weight: how much it matters, another in each candidate. */
const candidate = (place, weight) => `candidate:${weight} 1 udp ${2113000000 + weight} ${place.replace("_", " ")} typ host`;

/** Bytes in letters that addresses may have (base64url). */
export function lettered(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Wait until the addresses of a connection are known, or for so long. */
async function gathered(connection) {
  await new Promise((done) => {
    connection.onicegatheringstatechange = () => connection.iceGatheringState === "complete" && done();
    setTimeout(done, GATHERING);
  });
}

/** ice: servers through which far browsers find each other, as `RTCPeerConnection` takes them. */
const connected = (ice, certificate) => new RTCPeerConnection({ iceServers: ice, certificates: [certificate] });

// -- certificates ----------------------------------------------------------------------------------

const certificates = new Map(); // by name: promises, for browsers that store nothing

/** The certificate that this browser shows under a name: the same again after a reload, if it is stored. */
function certificate(name) {
  if (!certificates.has(name)) certificates.set(name, lasting(name));
  return certificates.get(name);
}

async function lasting(name) {
  const made = await RTCPeerConnection.generateCertificate({ name: "ECDSA", namedCurve: "P-256", expires: LASTING });
  return settled(name, made).catch((error) => (console.warn(error), made));
}

/** The certificate that is stored under a name; if none is that is still valid, this one from now on. */
async function settled(name, made) {
  const database = await opened();
  try {
    return await new Promise((done, failed) => {
      const writing = database.transaction("certificates", "readwrite");
      const store = writing.objectStore("certificates");
      let chosen = made;
      store.get(name).onsuccess = ({ target: { result } }) => {
        if (result?.expires > Date.now()) chosen = result;
        else store.put(made, name);
      };
      writing.oncomplete = () => done(chosen);
      writing.onerror = writing.onabort = () => failed(writing.error);
    });
  } finally {
    database.close();
  }
}

function opened() {
  return new Promise((done, failed) => {
    const opening = indexedDB.open(named("certificates"));
    opening.onupgradeneeded = () => opening.result.createObjectStore("certificates");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
  });
}

// -- the host --------------------------------------------------------------------------------------

/** Invitations to the pages that a worker answers, and the channels to those who came (events `guest`, `gone`). */
export class Host extends EventTarget {
  #waiting = new Map(); // by name: connections whose answer is awaited
  #guests = new Map(); // by name: connection, channel, and what waits for it
  #awake = null;

  /** `hear` passes on what guests do: `{ guest, who }` (a fingerprint), `{ guest, text }`, `{ guest, lost }`, `{ guest, gone }`. */
  constructor(hear, ice = []) {
    super();
    Object.assign(this, { hear, ice });
    document.addEventListener("visibilitychange", () => this.#stay());
  }

  /** How many friends are here. */
  get guests() {
    return this.#guests.size;
  }

  /** Who is here: the name of the channel, and the fingerprint. */
  get present() {
    return [...this.#guests].map(([name, { connection }]) => ({ name, who: connection.who }));
  }

  /** The fingerprint by which guests know this browser as a host. */
  async fingerprint() {
    const [{ value }] = (await certificate(OWN)).getFingerprints();
    return lettered(value.split(":").map((pair) => parseInt(pair, 16)));
  }

  /** The offer for one more guest, who is to see this page first. version: of the site's files. */
  async invite(path, version) {
    const connection = connected(this.ice, await certificate(OWN));
    const name = lettered(crypto.getRandomValues(new Uint8Array(6)));
    const channel = connection.createDataChannel(LABEL);
    channel.binaryType = "arraybuffer";
    channel.onopen = () => this.#welcome(name, { connection, channel, queue: [], waits: 0 }, path);
    connection.onconnectionstatechange = () => connection.connectionState === "failed" && this.hear({ guest: name, lost: true });
    this.#waiting.set(name, connection);
    await connection.setLocalDescription();
    await gathered(connection);
    return cut(connection.localDescription, name, version);
  }

  /**
   * Let the guest in whose answer this is. Throws an error: "unreadable", "own" if it is an invitation
   * itself, or "used" if it is not awaited.
   */
  async accept(pasted) {
    const text = read(pasted);
    if (!text) throw new Error("unreadable");
    if (text.version) throw new Error("own");
    const connection = this.#waiting.get(text.name);
    if (!connection) throw new Error("used");
    if (connection.who) return; // it was pasted twice
    connection.who = text.fingerprint; // before the channel can open, which may be told first
    await connection.setRemoteDescription(whole(text, "answer")).catch((error) => {
      connection.who = null;
      throw error;
    });
  }

  /** Take back an offer by whose answer nobody has come. */
  withdraw(name) {
    this.#waiting.get(name)?.close();
    this.#waiting.delete(name);
  }

  /** Tell all guests something else than what the pages answer. */
  spread(text) {
    for (const { channel } of this.#guests.values()) if (channel.readyState === "open") channel.send(JSON.stringify(text));
  }

  /** Send a guest what the pages answer. */
  tell(name, bytes) {
    const one = this.#guests.get(name);
    if (!one) return;
    one.queue.push(bytes);
    one.waits += bytes.byteLength;
    if (one.waits > LONGEST_QUEUE) this.leave(name);
    else this.#send(one);
  }

  #send(one) {
    while (one.queue.length && one.channel.readyState === "open" && one.channel.bufferedAmount < FULL) {
      const bytes = one.queue.shift();
      one.waits -= bytes.byteLength;
      one.channel.send(bytes);
    }
  }

  #welcome(name, one, path) {
    const { channel, connection } = one;
    this.#waiting.delete(name);
    this.#guests.set(name, one);
    channel.bufferedAmountLowThreshold = FULL / 2;
    channel.onbufferedamountlow = () => this.#send(one);
    channel.onmessage = ({ data }) => (typeof data === "string" ? this.hear({ guest: name, text: data }) : this.leave(name));
    channel.onclose = () => this.leave(name);
    this.hear({ guest: name, who: connection.who });
    channel.send(JSON.stringify({ welcome: path }));
    this.dispatchEvent(new CustomEvent("guest", { detail: { name, who: connection.who } }));
    this.#stay();
  }

  /** End a guest's connection; last: what the guest is told before. */
  leave(name, last = null) {
    const one = this.#guests.get(name);
    if (!this.#guests.delete(name)) return;
    one.queue.length = 0;
    one.channel.onmessage = null;
    if (last && one.channel.readyState === "open") farewell(one, last);
    else one.connection.close();
    this.hear({ guest: name, gone: true });
    this.dispatchEvent(new Event("gone"));
    this.#stay();
  }

  /** End all connections: this window has the pages no longer. */
  close() {
    for (const name of [...this.#guests.keys()]) this.leave(name);
  }

  /** Keep the screen on while guests play. */
  async #stay() {
    if (this.#guests.size && !this.#awake && document.visibilityState === "visible") {
      this.#awake = await navigator.wakeLock?.request("screen").catch(() => null);
      this.#awake?.addEventListener("release", () => (this.#awake = null));
    } else if (!this.#guests.size) this.#awake?.release();
  }
}

/** Close a channel when what was said last has arrived, or soon. */
function farewell({ connection, channel }, last) {
  channel.onclose = () => connection.close();
  channel.send(JSON.stringify(last));
  channel.close();
  setTimeout(() => connection.close(), FAREWELL);
}

// -- a guest ---------------------------------------------------------------------------------------

/**
 * Pages at the other end of a channel, spoken to as the worker that has Python (events `state`, and `told`
 * with what the host says beside them).
 */
export class Remote extends EventTarget {
  onmessage = null;
  #changed = (state) => this.dispatchEvent(new CustomEvent("state", { detail: state }));

  /** The answer to an offer that was `read`; `welcome` is the first page, once the channel is open. */
  async answer(offer, ice = []) {
    const connection = connected(ice, await certificate(offer.fingerprint));
    this.connection = connection;
    if (this.closed) connection.close();
    this.welcome = new Promise((known) => (connection.ondatachannel = ({ channel }) => this.#open(connection, channel, known)));
    connection.onconnectionstatechange = () => this.#changed(connection.connectionState);
    await connection.setRemoteDescription(whole(offer, "offer"));
    await connection.setLocalDescription();
    this.#seek(connection, offer.places);
    await gathered(connection);
    return cut(connection.localDescription, offer.name);
  }

  /** Look for the host where it was, as browsers give up: by candidates that count more, or they would not try. */
  #seek(connection, places) {
    let tried = places.length;
    const retry = (place) => connection.addIceCandidate({ candidate: candidate(place, ++tried), sdpMid: "0" }).catch(console.warn);
    const again = setInterval(() => {
      if (this.closed || this.channel?.readyState === "closed") clearInterval(again);
      else if (connection.connectionState !== "connected") places.forEach(retry);
    }, AGAIN);
  }

  /** End the connection, or do not begin it. */
  close() {
    this.closed = true;
    this.connection?.close();
  }

  /** Ask, or end what was asked for, as a worker is told. */
  postMessage({ number, method, url, headers, body, left }) {
    const sent = { ...headers, "accept-language": navigator.languages.join(","), "accept-encoding": "gzip" };
    const text = left ? { number, left } : { number, method, url, headers: sent, body: new TextDecoder().decode(body) };
    const bytes = new TextEncoder().encode(JSON.stringify(text));
    if (this.channel?.readyState === "open" && bytes.length <= LARGEST_MESSAGE) this.channel.send(JSON.stringify(text));
    else if (!left) this.#refuse(number);
  }

  #open(connection, channel, known) {
    this.channel = Object.assign(channel, { binaryType: "arraybuffer" });
    channel.onmessage = ({ data }) => (typeof data === "string" ? this.#told(data, known) : this.#hear(data));
    channel.onclose = () => {
      connection.close();
      this.#changed("closed");
    };
  }

  /** A text: the first page, or something else. */
  #told(text, known) {
    const said = JSON.parse(text);
    if ("welcome" in said) known(String(said.welcome).startsWith("/") ? said.welcome : "/");
    else this.dispatchEvent(new CustomEvent("told", { detail: said }));
  }

  /** A message: its head, a line break, and the bytes of a part. */
  #hear(data) {
    const bytes = new Uint8Array(data);
    const line = bytes.indexOf(10);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line)));
    const part = bytes.slice(line + 1);
    if (head.refused) this.#refuse(head.number);
    else this.onmessage({ data: part.length ? { number: head.number, part } : head });
  }

  #refuse(number) {
    this.onmessage({ data: { number, status: 503, headers: {} } });
    this.onmessage({ data: { number, end: true } });
  }
}
