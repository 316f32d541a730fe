// Friends without a server: one browser has the pages, the others reach them over data channels. Two
// texts make a channel: an offer, in the link that a guest opens, and the answer that comes back.

const LABEL = "diablerie";
const GATHERING = 3000; // milliseconds until an offer or answer goes out with the addresses found so far
const AGAIN = 3000; // milliseconds between attempts to reach a host that does not answer
const FULL = 1 << 20; // bytes that wait in a channel until no more are put there
const KEY = "diablerie.key"; // of what a guest's browser keeps: who it is for its hosts

// -- the texts -------------------------------------------------------------------------------------

/** What of a description is its own, in a text for an address: name, credentials, fingerprint, where. */
export function cut({ sdp }, name) {
  const [, fragment] = sdp.match(/a=ice-ufrag:(\S+)/);
  const [, password] = sdp.match(/a=ice-pwd:(\S+)/);
  const [, fingerprint] = sdp.match(/a=fingerprint:sha-256 (\S+)/i);
  const bytes = fingerprint.split(":").map((pair) => parseInt(pair, 16));
  const places = [...sdp.matchAll(/a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ/gi)].map(([, address, port]) => `${address}_${port}`);
  return [name, fragment, password, btoa(String.fromCharCode(...bytes)), ...places].map(encodeURIComponent).join("~");
}

/** The name and the description that a text was cut from. Throws if it is none. */
export function whole(text, type) {
  const [name, fragment, password, fingerprint, ...places] = text.trim().split("~").map(decodeURIComponent);
  const bytes = [...atob(fingerprint)].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase());
  const safe = [name, fragment, password, ...places].every((part) => /^[\w+/.:-]+$/.test(part));
  if (!safe || bytes.length !== 32 || !places.length) throw new Error("damaged");
  const lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", ...places.map((place, at) => `a=${candidate(place, places.length - at)}`),
    `a=ice-ufrag:${fragment}`, `a=ice-pwd:${password}`, `a=fingerprint:sha-256 ${bytes.join(":")}`,
    `a=setup:${type === "offer" ? "actpass" : "active"}`, "a=mid:0", "a=sctp-port:5000", "",
  ];
  return { name, places, description: { type, sdp: lines.join("\r\n") } };
}

/** Where a browser may be found; weight: how much it matters, another in each candidate. */
const candidate = (place, weight) => `candidate:${weight} 1 udp ${2113000000 + weight} ${place.replace("_", " ")} typ host`;

/** A number of random bytes, in letters that addresses may have. */
function random(bytes) {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Wait until the addresses of a connection are known, or for so long. */
async function gathered(connection) {
  await new Promise((done) => {
    connection.onicegatheringstatechange = () => connection.iceGatheringState === "complete" && done();
    setTimeout(done, GATHERING);
  });
}

const connected = (stun) => new RTCPeerConnection({ iceServers: stun ? [{ urls: stun }] : [] });

// -- the host --------------------------------------------------------------------------------------

/** Invitations to the pages that a worker answers, and the channels to those who came (event `guest`). */
export class Host extends EventTarget {
  #waiting = new Map(); // by name: connections whose answer is awaited
  #channels = new Map(); // by name
  #awake = null;

  /** `hear` passes on what guests send: `{ guest, key }`, `{ guest, text }` or `{ guest, gone }`. */
  constructor(hear, stun) {
    super();
    Object.assign(this, { hear, stun });
    document.addEventListener("visibilitychange", () => this.#stay());
  }

  /** The offer for one more guest, who is to see this page first. */
  async invite(path) {
    const [connection, name] = [connected(this.stun), random(6)];
    const channel = connection.createDataChannel(LABEL);
    channel.binaryType = "arraybuffer";
    channel.onopen = () => this.#welcome(name, channel, path);
    connection.onconnectionstatechange = () => connection.connectionState === "failed" && this.hear({ guest: name, gone: true });
    await connection.setLocalDescription();
    await gathered(connection);
    this.#waiting.set(name, connection);
    return cut(connection.localDescription, name);
  }

  /** Let the guest in whose answer this is. Throws an error: "damaged", or "used" if none is awaited. */
  async accept(text) {
    const { name, description } = whole(text, "answer");
    const connection = this.#waiting.get(name);
    if (!connection) throw new Error("used");
    await connection.setRemoteDescription(description);
    this.#waiting.delete(name);
  }

  /** Send a guest what the pages answer. */
  tell(name, bytes) {
    const channel = this.#channels.get(name);
    if (channel?.bufferedAmount > FULL || channel?.queue.length) channel.queue.push(bytes);
    else channel?.send(bytes);
  }

  #welcome(name, channel, path) {
    this.#channels.set(name, Object.assign(channel, { queue: [], bufferedAmountLowThreshold: FULL / 2 }));
    channel.onbufferedamountlow = () => {
      while (channel.queue.length && channel.bufferedAmount < FULL) channel.send(channel.queue.shift());
    };
    let key = null; // the first message
    channel.onmessage = ({ data }) => {
      if (typeof data !== "string") return channel.close();
      this.hear(key ? { guest: name, text: data } : { guest: name, key: (key = data) });
    };
    channel.onclose = () => {
      this.#channels.delete(name);
      this.hear({ guest: name, gone: true });
      this.#stay();
    };
    channel.send(JSON.stringify({ welcome: path }));
    this.dispatchEvent(new Event("guest"));
    this.#stay();
  }

  /** Keep the screen on while guests play. */
  async #stay() {
    if (this.#channels.size && !this.#awake && document.visibilityState === "visible") {
      this.#awake = await navigator.wakeLock?.request("screen").catch(() => null);
      this.#awake?.addEventListener("release", () => (this.#awake = null));
    } else if (!this.#channels.size) this.#awake?.release();
  }
}

/** Who this browser is for its hosts: the same again after a reload, where the browser stores anything. */
function ownKey() {
  try {
    return (localStorage[KEY] ??= random(16));
  } catch {
    return random(16);
  }
}

// -- a guest ---------------------------------------------------------------------------------------

/** Pages at the other end of a channel, spoken to as the worker that has Python. */
export class Remote extends EventTarget {
  onmessage = null;
  #changed = (state) => this.dispatchEvent(new CustomEvent("state", { detail: state }));

  /** The answer to an offer; `welcome` is the first page, once the channel is open. */
  async answer(text, stun) {
    const { name, places, description } = whole(text, "offer");
    const connection = connected(stun);
    this.welcome = new Promise((known) => (connection.ondatachannel = ({ channel }) => this.#open(channel, known)));
    connection.onconnectionstatechange = () => this.#changed(connection.connectionState);
    await connection.setRemoteDescription(description);
    await connection.setLocalDescription();
    this.#seek(connection, places);
    await gathered(connection);
    return cut(connection.localDescription, name);
  }

  /** Look for the host where it was, as browsers give up: by candidates that count more, or they would not try. */
  #seek(connection, places) {
    let tried = places.length;
    const retry = (place) => connection.addIceCandidate({ candidate: candidate(place, ++tried), sdpMid: "0" }).catch(console.warn);
    const again = setInterval(() => {
      if (this.channel?.readyState === "closed") clearInterval(again);
      else if (connection.connectionState !== "connected") places.forEach(retry);
    }, AGAIN);
  }

  /** Ask, or end what was asked for, as a worker is told. */
  postMessage({ number, method, url, headers, body, left }) {
    const text = { number, method, url, headers: { ...headers, "accept-language": navigator.languages.join(",") }, body: new TextDecoder().decode(body) };
    if (this.channel?.readyState === "open") this.channel.send(JSON.stringify(left ? { number, left } : text));
    else if (!left) this.#refuse(number);
  }

  #open(channel, known) {
    this.channel = Object.assign(channel, { binaryType: "arraybuffer" });
    channel.send(ownKey());
    channel.onmessage = ({ data }) => (typeof data === "string" ? known(JSON.parse(data).welcome) : this.#hear(data));
    channel.onclose = () => this.#changed("closed");
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
