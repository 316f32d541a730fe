// What browsers have where a page came by https; what they are asked to do is noted.
window.told = [];
window.badges = [];
window.shaken = [];
window.sounded = 0;
let heard;
window.heard = new Promise((done) => (heard = done));
const registration = async () => ({
  showNotification: (title, how) => {
    told.push([title, how]);
    heard();
  },
  pushManager: { getSubscription: async () => null },
});
Object.defineProperty(navigator.serviceWorker, "getRegistration", { value: registration });
Object.defineProperty(Notification, "permission", { get: () => "granted" });
Notification.requestPermission = async () => "granted";
navigator.setAppBadge = async (n) => badges.push(n);
navigator.vibrate = (how) => shaken.push(how);
window.AudioContext = class {
  constructor() {
    sounded++;
  }
};
