// reassemble.draw/1: executed frames with their pictures. reassemble.frame/1: the draws of a frame on described GPUs.

const PICTURES = [["picture.png", "The picture that the emulator drew"], ["expected.png", "Vulkan's own picture"],
  ["overdraw.png", "Fragments of each pixel: black none, a step of gray for each one"],
  ["operations.png", "Operations of each pixel's fragments: white the most"], ["texels.png", "Texels that each pixel's fragments read: white the most"]];

function picturesOf(section, pictures) {
  const row = element(section, "div", "pictures");
  for (const [key, title] of PICTURES) {
    if (!pictures || typeof pictures[key] !== "string" || !pictures[key].startsWith("data:image/png;base64,")) continue;
    const frame = element(row, "figure");
    const image = element(frame, "img");
    image.src = pictures[key];
    image.alt = title;
    element(frame, "figcaption", "", title);
  }
}

function sectionOfDraw(section, document_) {
  (document_.frames || []).forEach((frame, i) => {
    const agreement = frame.picture || {}, draws = frame.draws || [];
    element(section, "h3", "", frame.file);
    picturesOf(section, frame.pictures);
    if (frame.not_executed) element(section, "p", "", `Not executed: ${frame.not_executed}`);
    factList(section, [["pixels", number(agreement.pixels)], ["equal to Vulkan's", `${number(100 * agreement.equal_ratio)} %`],
      ["within 1/255", `${number(100 * agreement.near_ratio)} %`], ["worst", `${number(agreement.worst)}/255`], ["overdraw", number(frame.overdraw)]]);
    barPlot(section, {name: `fragments-${i}`, title: "Fragments of each draw", unit: "fragments",
      about: "Those that pass the depth test reach the picture.", legendItems: [["pass", series(0)], ["do not pass", series(1)]],
      rows: draws.map(draw => ({name: draw.draw, text: number(draw.fragments), about: [["primitives", number(draw.primitives)], ["quads", number(draw.quads)]],
        parts: [fragmentPart("pass", draw.passed, 0), fragmentPart("do not pass", draw.fragments - draw.passed, 1)]}))});
    table(section, "Draws", draws, columnsOf(draws));
  });
}

function fragmentPart(label, value, i) {
  return {label, value, colour: series(i), text: number(value)};
}

function sectionOfFrame(section, document_) {
  const designs = document_.designs || [];
  const nameOf = design => [design.gpu, design.set].filter(text => typeof text === "string").join(" ");
  picturesOf(section, document_.pictures);
  stackPlot(section, {name: "frame-stacks", title: "Where the cycles of the frame go", about: "Pass after pass; the draws of a pass overlap.",
    rows: designs.map(design => ({name: nameOf(design), stack: design.cycle_stack || {}}))});
  const rowsOf = key => designs.flatMap(design => (design[key] || []).map(row => ({design: nameOf(design), ...row})));
  const passes = rowsOf("passes"), draws = rowsOf("draws");
  cyclesPlot(section, "passes", "Cycles of each pass", "", passes, designs.length, row => `pass ${row.pass}`);
  cyclesPlot(section, "draws", "Cycles of each draw", "As if no other draw were there, and without the traffic of tile buffers.", draws, designs.length,
    row => `draw ${row.draw}`);
  table(section, "Frame on each GPU", designs.map(design => ({GPU: nameOf(design), cycles: design.cycles, "time, µs": microseconds(design.time_ns)})),
    [{key: "GPU"}, {key: "cycles"}, {key: "time, µs"}]);
  table(section, "Passes", passes, columnsOf(passes));
  table(section, "Draws", draws, columnsOf(draws));
}

function cyclesPlot(section, name, title, about, rows, designCount, nameOf) {
  barPlot(section, {name, title, unit: "cycles", about, legendItems: [["vertices", series(0)], ["fragments", series(1)]],
    rows: rows.map(row => ({name: designCount > 1 ? `${nameOf(row)} on ${row.design}` : nameOf(row),
      text: number(Math.round(row.vertex_cycles + row.fragment_cycles)), about: [["tiles", number(row.tiles)]],
      parts: [fragmentPart("vertices", row.vertex_cycles, 0), fragmentPart("fragments", row.fragment_cycles, 1)]}))});
}
