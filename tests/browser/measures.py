"""What a page shows and sounds like: how small its letters are, places that want a finger, loudness."""

from playwright.sync_api import Page

LETTER = 11  # pixels
TARGET = 24  # what WCAG 2.2 asks of targets (2.5.8): of places in pictures, of links in lists
FINGER = 44  # what a finger needs: of buttons and fields
SEEN = """
  const seen = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
"""

# Every text that is drawn, as large as it is drawn: in a picture letters are scaled with it.
SMALL = f"""(least) => {{
  {SEEN}
  const small = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  // .reel: a sight
  const unseen = "title, desc, defs, script, noscript, option, .hidden-visually, .told, .reel .board";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {{
    const el = node.parentElement;
    const text = node.data.trim();
    if (!text || !seen(el) || el.closest(unseen)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const matrix = el instanceof SVGElement ? el.getScreenCTM() : null;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(el).fontSize) * scale;
    const where = el.closest("[class]")?.getAttribute("class");
    if (size < least - 0.05) small.set(`${{text.slice(0, 24)}} (${{where}})`, size.toFixed(1));
  }}
  return [...small].map(([text, size]) => `${{size}} px: ${{text}}`);
}}"""

# Every control but links inside a sentence, which the guideline leaves out.
NARROW = f"""([target, finger]) => {{
  {SEEN}
  const narrow = new Set();
  const fingers = ".btn, button, input, select, summary";
  const inline = (el) => el.matches("a") && getComputedStyle(el).display === "inline";
  const controls = "a[href], button, input:not([type=hidden]), select, summary, [data-action]";
  const unseen = "defs, .hidden-visually, .skip-link, .told";
  for (const el of document.querySelectorAll(controls)) {{
    if (!seen(el) || inline(el) || el.disabled || el.closest(unseen)) continue;
    const whole = el.matches("[type=checkbox], [type=radio]") ? el.closest("label") : el;
    const {{ width, height }} = whole.getBoundingClientRect();
    const least = el.matches(fingers) ? finger : target;
    if (width < 2 || height < 2 || Math.min(width, height) >= least - 0.5) continue;
    narrow.add(`${{width | 0}}×${{height | 0}}: ${{el.dataset.action ?? el.textContent.trim()}}`);
  }}
  return [...narrow];
}}"""

# Buttons with more than two lines of words.
TALL = f"""() => {{
  {SEEN}
  const lines = (el) => {{
    const range = document.createRange();
    range.selectNodeContents(el);
    return range.getBoundingClientRect().height / parseFloat(getComputedStyle(el).lineHeight);
  }};
  const tall = [...document.querySelectorAll(".btn")].filter((el) => seen(el) && lines(el) > 2.5);
  return tall.map((el) => el.textContent.trim());
}}"""

# Words that stand in a column of a few letters, because what is beside them took the width.
SQUEEZED = f"""() => {{
  {SEEN}
  const squeezed = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {{
    const text = node.data.trim();
    const el = node.parentElement;
    if (text.length < 6 || !seen(el) || el.closest(".hidden-visually, svg, script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
    if (lines > 2 && text.length / lines < 4) squeezed.push(text);
  }}
  return squeezed;
}}"""

# Texts of the picture that it has no room for. Beside a wide board some of it stands on the page.
CUT = """() => [...document.querySelectorAll("[data-region=board] svg text")].filter((text) => {
  const svg = text.ownerSVGElement;
  const beside = getComputedStyle(svg).overflow === "visible";
  const room = beside ? text.closest("[data-region=board]") : svg;
  const [inner, outer] = [text, room].map((el) => el.getBoundingClientRect());
  return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
}).map((text) => text.textContent)"""


def too_small(page: Page) -> list[str]:
    """The texts and targets of a page that are too small for a phone."""
    return [*page.evaluate(SMALL, LETTER), *page.evaluate(NARROW, [TARGET, FINGER])]


# How loud a sound is in its first seconds, and how loud it still is 0.4 s later.
LOUDEST = """async ([address, name, seconds]) => {
    const rate = 44100;
    const air = new OfflineAudioContext(1, (seconds + 0.5) * rate, rate);
    air.resume = () => {};
    window.AudioContext = class { constructor() { return air; } };
    document.documentElement.dataset.sound = "on";
    const m = await import(`${address}?${name}`);
    m.hear(name);
    const samples = (await air.startRendering()).getChannelData(0);
    const loud = (part) => Math.max(...part.map(Math.abs));
    return [loud(samples.subarray(0, seconds * rate)), loud(samples.subarray((seconds + 0.4) * rate))];
}"""
