// A browser with a push service of its own, which nobody asks.
const keys = { p256dh: "B".repeat(87), auth: "A".repeat(22) };
const made = {
  endpoint: "https://push.example/1",
  toJSON: () => ({ endpoint: "https://push.example/1", keys }),
  unsubscribe: async () => sessionStorage.removeItem("pushed"),
};
const pushManager = {
  getSubscription: async () => (sessionStorage.getItem("pushed") ? made : null),
  subscribe: async (how) => {
    window.wanted = how;
    sessionStorage.setItem("pushed", "1");
    return made;
  },
};
const worker = { pushManager };
Object.defineProperty(navigator.serviceWorker, "getRegistration", { value: async () => worker });
Object.defineProperty(navigator.serviceWorker, "ready", { value: Promise.resolve(worker) });
Object.defineProperty(Notification, "permission", { get: () => "granted" });
Notification.requestPermission = async () => "granted";
