// Takes the pictures of docs/pictures from pages in the current folder. Usage: node take_pictures.js BROWSER FOLDER
"use strict";
const {open} = require("./browser.js");
const fs = require("fs");
const path = require("path");
const [browser, folder] = process.argv.slice(2);

// page, picture, options of the window, the height that is shown, and what the pointer is on
const pictures = [
  ["rank.html", "ranking.png", {width: 1000}, 890],
  ["source.html", "source.png", {width: 1000}, 1010],
  ["accuracy.html", "accuracy.png", {width: 760}, 930],
  ["sweep.html", "sweep.png", {width: 1000}, 740, "circle.front:nth-child(5)"],
  ["program.html", "program.png", {width: 1000}, 860],
  ["frame.html", "frame.png", {width: 1000}, 900],
  ["sweep.html", "telephone.png", {width: 390, dark: true, phone: true}, 740],
];

(async () => {
  fs.mkdirSync(folder, {recursive: true});
  for (const [file, picture, options, height, pointed] of pictures) {
    const page = await open(browser, file, {height, ...options});
    if (pointed) await page.move(pointed);
    await page.evaluate("window.scrollTo(0, 0)");
    fs.writeFileSync(path.join(folder, picture), await page.shot({x: 0, y: 0, width: options.width, height}));
    await page.close();
  }
  process.exit(0);
})();
