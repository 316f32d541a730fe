"""Sounds that are counted instead of heard."""

# `begun` has when each layer of a sound begins, in seconds.
HEARD = """() => { window.begun = [];
    document.documentElement.dataset.sound = "on";
    window.AudioContext = class extends OfflineAudioContext {
        constructor() { super(1, 44100, 44100); } resume() {} };
    AudioScheduledSourceNode.prototype.start = (at) => begun.push(at);
    AudioScheduledSourceNode.prototype.stop = () => {}; }"""
