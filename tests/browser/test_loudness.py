"""Every sound is about as loud as the others, and none is cut off by the loudest setting."""

import math

import pytest
from playwright.sync_api import Browser

from diablerie.web.html.assets import STATIC_FOLDER

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEVEL = -18.0  # loudness units in the loudest fifth of a second, with a volume of 1
WANTED = {"win": -16.0, "lose": -16.5, "heart": -20.0}
APART = 2.5
# The noise of every run is the same: of six tried the one with the highest peak.
SEEDED = """let drawn = 12345;
Math.random = () => {
  drawn = (drawn * 16807) % 2147483647;
  return drawn / 2147483647;
};"""
LOUDEST_VOLUME = 0.8
# Each sound by itself, and weighted as ears hear it (ITU-R BS.1770: a high shelf and a high pass).
MEASURED = """async (name) => {
  const ends = Math.max(...SOUNDS[name].map(([, at, length]) => at + length));
  const heard = new OfflineAudioContext(2, 44100 * (ends + 0.2), 44100);
  [air, noise] = [heard, null];
  const loud = new GainNode(heard, { gain: EVEN[name] ?? 1 });
  const both = new ChannelMergerNode(heard, { numberOfInputs: 2 });
  const shelf = new BiquadFilterNode(heard, { type: "highshelf", frequency: 1500, gain: 4 });
  const high = new BiquadFilterNode(heard, { type: "highpass", frequency: 38, Q: 0.5 });
  loud.connect(both, 0, 0);
  loud.connect(shelf).connect(high).connect(both, 0, 1);
  both.connect(heard.destination);
  for (const layer of SOUNDS[name]) sound(loud, 0, layer);
  const made = await heard.startRendering();
  const [plain, weighted] = [made.getChannelData(0), made.getChannelData(1)];
  const fifth = 44100 / 5;
  let [sum, most] = [0, 0];
  weighted.forEach((x, k) => {
    sum += x * x - (k >= fifth ? weighted[k - fifth] ** 2 : 0);
    most = Math.max(most, sum / fifth);
  });
  return [plain.reduce((peak, x) => Math.max(peak, Math.abs(x)), 0), most];
}"""


def test_all_sounds_are_about_as_loud_and_none_is_cut_off(chromium: Browser):
    script = (STATIC_FOLDER / "sounds.js").read_text("utf-8").replace("export ", "")
    page = chromium.new_page()
    page.add_script_tag(content=SEEDED)
    page.add_script_tag(content=script)
    names = page.evaluate("Object.keys(SOUNDS)")
    assert len(names) > 20
    wrong = {}
    for name in names:
        peak, power = page.evaluate(MEASURED, name)
        loudness = -0.691 + 10 * math.log10(power)
        apart = loudness - WANTED.get(name, LEVEL)
        if abs(apart) > APART or peak * LOUDEST_VOLUME > 1:
            wrong[name] = round(peak, 2), round(loudness, 1)
    page.close()
    assert wrong == {}
