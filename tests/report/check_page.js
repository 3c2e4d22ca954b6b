// Opens a page in a headless Chromium and checks what people do with it. Usage: node check_page.js BROWSER PAGE PLOT...
// Every PLOT (data-name) must be there and hold marks; no error may reach the console; nothing may be loaded.
"use strict";
const {open} = require("./browser.js");
const assert = require("assert");
const [browser, file, ...plots] = process.argv.slice(2);

const MOST_MS = 2000, WIDTH = 1100; // pixels, of the window

async function checkPlots(page) {
  for (const plot of plots) {
    const marks = await page.evaluate(`document.querySelectorAll('svg[data-name="${plot}"] :is(rect, circle, path)').length`);
    assert(marks > 3, `the plot ${plot} has ${marks} marks`);
    const bad = await page.evaluate(`/NaN|undefined|Infinity/.test(document.querySelector('svg[data-name="${plot}"]').outerHTML)`);
    assert(!bad, `the plot ${plot} has places that are no numbers`);
  }
}

// A click on a title sorts upwards, a second one downwards; the third column of a page's first table has numbers or texts.
async function checkSorting(page) {
  const title = ".tabular thead th:nth-child(3) button";
  const column = async () => (await page.evaluate(`[...document.querySelector(".tabular tbody").rows].map(row => row.cells[2].textContent)`))
    .map(text => isNaN(text.replace(/,/g, "")) ? text : Number(text.replace(/,/g, "")));
  const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(b, "en", {numeric: true});
  const before = await column();
  await page.click(title);
  assert.deepStrictEqual(await column(), before.slice().sort(order), "the table is not sorted");
  await page.click(title);
  assert.deepStrictEqual(await column(), before.slice().sort(order).reverse(), "the table is not sorted downwards");
  assert.strictEqual(await page.evaluate(`document.querySelector(".tabular th[aria-sort]").getAttribute("aria-sort")`), "descending");
}

// The pointer over a mark of each plot shows a text with a number.
async function checkHovering(page) {
  for (const plot of plots) {
    const mark = [".front", ".point", ".piece", ".cell"].map(kind => `svg[data-name="${plot}"] ${kind}`);
    for (const selector of mark) {
      if (!await page.evaluate(`document.querySelector('${selector}') !== null`)) continue;
      await page.move(selector);
      const text = await page.evaluate(`(document.querySelector(".tooltip") || {textContent: ""}).textContent`);
      assert(/\d/.test(text), `hovering over ${selector} shows "${text}"`);
      break;
    }
  }
}

async function check(options, what) {
  const page = await open(browser, file, options);
  try {
    assert.strictEqual(await page.evaluate("document.documentElement.dataset.drawn"), "yes", "the page was not drawn");
    await checkPlots(page);
    if (what === "everything") {
      await checkSorting(page);
      await checkHovering(page);
      assert(page.ms < MOST_MS * Number(process.env.REASSEMBLE_TEST_SLOWNESS || 1), `the page takes ${page.ms} ms to open`);
    }
    const wide = await page.evaluate("document.documentElement.scrollWidth") - options.width;
    assert(wide <= 0, `the page is ${wide} pixels wider than the window`);
    assert.deepStrictEqual(page.errors, []);
    assert(page.requests.every(url => /^(file|about|data):/.test(url)), `the page loads ${page.requests}`);
    const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    assert.strictEqual(paper === "rgb(255, 255, 255)", !options.dark, `the page is ${paper}`);
    console.log(`${what}: ${plots.length} plots, ${page.ms} ms`);
  } finally {
    await page.close();
  }
}

// On paper the page is black on white whatever the screen is, and what only a pointer can use is not there.
async function checkPaper() {
  const page = await open(browser, file, {width: WIDTH, dark: true});
  try {
    await page.send("Emulation.setEmulatedMedia", {media: "print", features: [{name: "prefers-color-scheme", value: "dark"}]});
    const style = (selector, key) => page.evaluate(`(e => e && getComputedStyle(e).${key})(document.querySelector("${selector}"))`);
    assert.strictEqual(await style("body", "backgroundColor"), "rgb(255, 255, 255)");
    assert.strictEqual(await style("h1", "color"), "rgb(0, 0, 0)");
    for (const selector of ["nav", ".controls"]) assert([null, "none"].includes(await style(selector, "display")), `${selector} is printed`);
    for (const plot of plots) assert.notStrictEqual(await style(`svg[data-name='${plot}']`, "display"), "none", `${plot} is not printed`);
    console.log("paper");
  } finally {
    await page.close();
  }
}

(async () => {
  await check({width: WIDTH}, "everything");
  await check({width: WIDTH, dark: true}, "dark");
  await check({width: 390, height: 844, phone: true}, "telephone");
  await checkPaper();
  process.exit(0);
})().catch(error => { console.error(error.message); process.exit(1); });
