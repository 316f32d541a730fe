// In the frame that shows a page: what its scripts fetch, what is followed and what is sent goes to
// the page around it, which asks Python.

const shell = parent.diablerie;
window.keptUnder = shell.keptUnder; // by the pages' scripts, see kept.js
const browser = { fetch: window.fetch.bind(window), replaceState: history.replaceState.bind(history) };

window.fetch = async (input, init) => {
  const request = new Request(input, init);
  return shell.isFile(request.url) ? browser.fetch(request) : shell.fetched(request, window);
};

history.replaceState = (state, title, url) => {
  browser.replaceState(state, title, url);
  shell.moved(location);
};

// the site has a service worker of its own
if (navigator.serviceWorker) navigator.serviceWorker.register = () => navigator.serviceWorker.ready;

HTMLFormElement.prototype.submit = function () {
  send(this);
};

/** Server-sent events over `fetch`: what the pages' scripts use of the browser's own. */
window.EventSource = class extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;
  #left = new AbortController();

  constructor(url) {
    super();
    this.readyState = EventSource.CONNECTING;
    this.#listen(url);
  }

  close() {
    this.readyState = EventSource.CLOSED;
    this.#left.abort();
  }

  async #listen(url) {
    try {
      const answer = await fetch(url, { headers: { accept: "text/event-stream" }, signal: this.#left.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      this.readyState = EventSource.OPEN;
      this.#tell(new Event("open"));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const events = (text + part.value).split("\n\n");
        text = events.pop();
        for (const event of events) this.#receive(event);
      }
    } catch {
      // told below, like an end
    }
    if (this.readyState === EventSource.CLOSED) return;
    this.readyState = EventSource.CLOSED;
    this.#tell(new Event("error"));
  }

  #receive(text) {
    const fields = text.split("\n").map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 1).replace(/^ /, "")]);
    const last = (name) => fields.findLast(([one]) => one === name)?.[1];
    const data = fields.filter(([name]) => name === "data").map(([, value]) => value);
    if (last("id") !== undefined) this.lastEventId = last("id");
    if (data.length) this.#tell(new MessageEvent(last("event") ?? "message", { data: data.join("\n"), lastEventId: this.lastEventId ?? "" }));
  }

  #tell(event) {
    this.dispatchEvent(event);
    this[`on${event.type}`]?.(event);
  }
};

addEventListener("message", ({ source, origin, data }) => {
  if (parent === window || source !== parent || origin !== location.origin) return; // anybody may send one
  const { html, url } = data;
  document.open(); // forgets all listeners, so those below come after it
  browser.replaceState(null, "", url);
  addEventListener("click", follow);
  addEventListener("submit", (event) => !event.defaultPrevented && (event.preventDefault(), send(event.target, event.submitter)));
  addEventListener("load", () => shell.loaded(window), { once: true });
  document.addEventListener("visit", (event) => {
    event.preventDefault();
    go(event.detail);
  });
  document.addEventListener("send", ({ detail }) => (detail.url = shell.address(new URL(detail.url))));
  document.write(html);
  document.close();
});

function follow(event) {
  const inviting = event.target.closest?.("[data-invite]");
  if (inviting) return shell.invite(inviting.dataset.invite || location.pathname);
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || link.getAttribute("href").startsWith("#")) return;
  const url = new URL(link.getAttribute("href"), location.href);
  event.preventDefault();
  if (shell.isFile(url.href) || url.origin !== location.origin) open(url, "_blank", "noopener");
  else if (link.hasAttribute("download")) shell.download(url, link.getAttribute("download"));
  else go(url);
}

function go(url) {
  shell.visit({ url: new URL(url, location.href).href });
}

function send(form, submitter) {
  const fields = new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]));
  const url = new URL(form.getAttribute("action") || location.href, location.href);
  if (form.method === "post") return shell.visit({ method: "POST", url: url.href, body: fields.toString() });
  url.search = fields;
  return go(url);
}

shell.ready(window);
