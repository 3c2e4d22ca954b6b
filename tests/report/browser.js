// A headless Chromium, driven through its debugging pipe (Chrome DevTools Protocol: JSON documents that end in NUL).
// NODE only; no package. Usage: const {open} = require("./browser.js"); const page = await open(program, file, options).
"use strict";
const {spawn} = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const LOADING_MS = 60000;

// Starts the browser. Returns send(method, parameters, target), on(method, listener) and close().
function start(program) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "reassemble-browser-"));
  const browser = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
    `--user-data-dir=${folder}`, "--remote-debugging-pipe", "about:blank"], {detached: true,
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  const waiting = new Map(), listeners = [];
  let next = 1, rest = "";
  browser.stdio[4].on("data", data => {
    const texts = (rest + data.toString()).split("\0");
    rest = texts.pop();
    for (const text of texts) {
      const message = JSON.parse(text);
      if (message.id) {
        const {resolve, reject} = waiting.get(message.id);
        waiting.delete(message.id);
        message.error ? reject(new Error(message.error.message)) : resolve(message.result);
      } else {
        for (const listener of listeners) listener(message);
      }
    }
  });
  return {
    send(method, params = {}, sessionId) {
      const id = next++;
      browser.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
      return new Promise((resolve, reject) => waiting.set(id, {resolve, reject}));
    },
    on(listener) { listeners.push(listener); },
    async close() {
      const ended = new Promise(resolve => browser.on("exit", resolve));
      process.kill(-browser.pid, "SIGKILL"); // its processes, too, which would keep the pipes open
      await ended;
      fs.rmSync(folder, {recursive: true, force: true, maxRetries: 5});
    },
  };
}

// Opens a file in a window. options: {width, height, scale, dark, phone}. Returns {errors, ms, evaluate, move, click, shot, close}.
async function open(program, file, {width = 1100, height = 900, scale = 1, dark = false, phone = false} = {}) {
  const browser = start(program);
  const {targetId} = await browser.send("Target.createTarget", {url: "about:blank"});
  const {sessionId} = await browser.send("Target.attachToTarget", {targetId, flatten: true});
  const send = (method, params) => browser.send(method, params, sessionId);
  const errors = [], requests = [];
  browser.on(({method, params}) => {
    if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.exception.description || params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") errors.push(JSON.stringify(params.args));
    if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
  });
  for (const domain of ["Runtime", "Log", "Page", "Network"]) await send(`${domain}.enable`);
  await send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: scale, mobile: phone});
  await send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});

  async function evaluate(expression) {
    const {result, exceptionDetails} = await send("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
    return result.value;
  }
  const begin = Date.now();
  const loaded = new Promise(resolve => browser.on(({method}) => method === "Page.loadEventFired" && resolve()));
  await send("Page.navigate", {url: "file://" + path.resolve(file)});
  await Promise.race([loaded, new Promise((_, reject) => setTimeout(() => reject(new Error("the page does not load")), LOADING_MS).unref())]);
  const ms = Date.now() - begin;

  return {
    errors, requests, ms, evaluate, send,
    // Moves the pointer to the middle of an element. Returns whether there is one.
    async move(selector) {
      const at = await evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); if (!e) return null;
        e.scrollIntoView({block: "center"}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
      if (at) await send("Input.dispatchMouseEvent", {type: "mouseMoved", x: at[0], y: at[1]});
      return at;
    },
    async click(selector) {
      const at = await this.move(selector);
      for (const type of ["mousePressed", "mouseReleased"])
        await send("Input.dispatchMouseEvent", {type, x: at[0], y: at[1], button: "left", clickCount: 1});
    },
    // Returns a picture (PNG) of the window, of the whole page, or of {x, y, width, height} in the page.
    async shot(clip) {
      if (clip === "page") {
        const [w, h] = await evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]");
        clip = {x: 0, y: 0, width: w, height: Math.min(h, 15000)};
      }
      const {data} = await send("Page.captureScreenshot", {format: "png", captureBeyondViewport: clip !== undefined,
        ...(clip ? {clip: {scale: 1, ...clip}} : {})});
      return Buffer.from(data, "base64");
    },
    close: () => browser.close(),
  };
}

module.exports = {open};
