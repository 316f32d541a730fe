// One window at a time has the games. Browsers lock over https alone; elsewhere windows tell each other.

const ANSWERED = 1000; // milliseconds in which a window that holds a lock says so
const AGAIN = 2000; // milliseconds after which a window that waits asks anew
const CONTESTED = 5000; // milliseconds in which a lock may turn out to be held twice

/**
 * Whether this window gets a lock, which it holds until it closes or another window steals it; `lost`
 * is called then. options: `ifAvailable`, `signal` or `steal`, as Web Locks have them.
 */
export function locked(name, options, lost) {
  return navigator.locks ? byBrowser(name, options, lost) : byMessages(name, options, lost);
}

function byBrowser(name, options, lost) {
  let ours = false;
  return new Promise((known) => {
    const held = (lock) => {
      known((ours = Boolean(lock)));
      return lock && new Promise(() => {});
    };
    const failed = (error) => (ours ? lost() : known(error.name !== "AbortError")); // a browser may refuse all locks
    navigator.locks.request(name, options, held).catch(failed);
  });
}

function byMessages(name, options, lost) {
  const claim = new Claim(name, lost);
  return options.steal ? claim.take() : claim.ask(options);
}

/** What one window says of a lock, and hears. Of two that ask at once the smaller number goes first. */
class Claim {
  #number = crypto.getRandomValues(new Uint32Array(1))[0] + Math.random();
  #holds = false;
  #since = 0; // when it got the lock
  #refused = false; // whether another has the lock, or asks for it with a smaller number

  constructor(name, lost) {
    this.lost = lost;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => (this.#holds ? this.#asked(data) : this.#told(data));
    addEventListener("pagehide", () => this.#holds && this.#says("leaves"));
    addEventListener("pageshow", ({ persisted }) => persisted && this.#holds && this.#end());
  }

  async take() {
    this.#says("takes");
    this.#holds = true;
    return true;
  }

  /** Ask until nobody refuses, once if `ifAvailable`, or until somebody ends it. */
  async ask({ ifAvailable, signal }) {
    for (;;) {
      this.#refused = false;
      this.#says("asks");
      await new Promise((later) => setTimeout(later, ANSWERED));
      if (signal?.aborted || (this.#refused && ifAvailable)) break;
      if (!this.#refused) return this.#gets();
      await new Promise((later) => (setTimeout(later, AGAIN), signal.addEventListener("abort", later), (this.hurry = later)));
      if (signal.aborted) break;
    }
    this.channel.close();
    return false;
  }

  /** On a slow machine another may have got it at the same time, and not have heard: so this tells. */
  #gets() {
    this.#holds = true;
    this.#since = performance.now();
    this.#says("got");
    return true;
  }

  #says(says) {
    this.channel.postMessage({ says, number: this.#number });
  }

  #asked({ says, number }) {
    const later = performance.now() - this.#since > CONTESTED || number > this.#number;
    if (says === "asks") this.#says("holds");
    else if (says === "got") later ? this.#says("takes") : this.#end();
    else if (says === "holds") this.#says("takes"); // a window that slept, and does not know
    else if (says === "takes") this.#end();
  }

  #told({ says, number }) {
    if (["holds", "got", "takes"].includes(says) || (says === "asks" && number < this.#number)) this.#refused = true;
    else if (says === "leaves") this.hurry?.();
  }

  #end() {
    this.#holds = false;
    this.channel.close();
    this.lost();
  }
}
