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
  stackPlot(section, {name: "frame-stacks", title: "Where the cycles of the frame go", about: "All draws of the frame, one after the other.",
    rows: designs.map(design => ({name: nameOf(design), stack: design.cycle_stack || {}}))});
  const rows = designs.flatMap(design => (design.draws || []).map(draw => ({design: nameOf(design), ...draw})));
  barPlot(section, {name: "draws", title: "Cycles of each draw", unit: "cycles", about: "",
    legendItems: [["vertices", series(0)], ["fragments", series(1)]],
    rows: rows.map(draw => ({name: designs.length > 1 ? `draw ${draw.draw} on ${draw.design}` : `draw ${draw.draw}`,
      text: number(Math.round(draw.vertex_cycles + draw.fragment_cycles)), about: [["tiles", number(draw.tiles)], ["quads shaded", number(draw.shaded)]],
      parts: [fragmentPart("vertices", draw.vertex_cycles, 0), fragmentPart("fragments", draw.fragment_cycles, 1)]}))});
  table(section, "Frame on each GPU", designs.map(design => ({GPU: nameOf(design), cycles: design.cycles, "time, µs": microseconds(design.time_ns)})),
    [{key: "GPU"}, {key: "cycles"}, {key: "time, µs"}]);
  table(section, "Draws", rows, columnsOf(rows));
}
