// The service worker's own code between walls of paper: what it does with a push and a click.
async ([code, told]) => {
  const [heard, waits, seen] = [{}, [], { opened: [] }];
  const self = {
    location,
    navigator: {},
    addEventListener: (name, listener) => (heard[name] ??= []).push(listener),
    registration: { showNotification: async (...how) => (seen.shown = how) },
    clients: {
      matchAll: async () => [],
      openWindow: async (url) => seen.opened.push(new URL(url).pathname),
    },
  };
  new Function("self", "caches", code)(self, {});
  const send = async (name, more) => {
    heard[name][0]({ waitUntil: (promise) => waits.push(promise), ...more });
    await Promise.all(waits);
  };
  const clicked = (data) => send("notificationclick", { notification: { close() {}, data } });
  await send("push", { data: { json: () => told } });
  await clicked(seen.shown[1].data);
  await clicked({ url: "https://elsewhere.example/" });
  return seen;
}
