// Run by Node.js: reads a page from standard input, lets it draw itself in jsdom, and prints its plots as one JSON object, name to SVG.
// Colours and fonts of the page's light style are written into each plot, because programs that read SVG know no variables.
"use strict";
const {JSDOM, VirtualConsole} = require("jsdom");

const log = new VirtualConsole();
log.on("jsdomError", error => { console.error(error.detail ? error.detail.stack || error.detail : error.message); process.exitCode = 1; });
const {window} = new JSDOM(require("fs").readFileSync(0, "utf8"), {runScripts: "dangerously", virtualConsole: log});
const {document} = window;

const [light] = document.querySelector("style").textContent.match(/:root \{[^}]*\}/);
const colours = new Map([...light.matchAll(/(--[a-z0-9-]+): (#[0-9a-f]{6})/g)].map(([, name, colour]) => [name, colour]));
const plain = text => text.replace(/var\((--[a-z0-9-]+)\)/g, (whole, name) => colours.get(name) || whole);
const fonts = "Helvetica, Arial, 'DejaVu Sans', sans-serif";
const style = plain(document.getElementById("plot-style").textContent).replace(/system-ui[^;]*/g, fonts).replace(/\/\*[^]*?\*\//g, "");

const plots = {};
for (const svg of document.querySelectorAll("svg.plot")) {
  for (const cover of svg.querySelectorAll("[fill=transparent]")) cover.remove();
  const made = document.createElementNS("http://www.w3.org/2000/svg", "style");
  made.textContent = style;
  svg.insertBefore(made, svg.firstChild);
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = svg.getAttribute("aria-label");
  svg.insertBefore(title, made);
  const base = svg.dataset.name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\./, "_").slice(0, 100);
  let name = base;
  for (let i = 2; name in plots; i++) name = `${base}-${i}`;
  plots[name] = '<?xml version="1.0" encoding="UTF-8"?>\n' + plain(new window.XMLSerializer().serializeToString(svg)) + "\n";
}
process.stdout.write(JSON.stringify(plots));
window.close();
