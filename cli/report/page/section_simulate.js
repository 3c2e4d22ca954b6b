// reassemble.simulate/1: cycle stacks, counts, and with --detail source lines and occupancy; with --ablate the mechanisms.

function sectionOfSimulate(section, document_, all) {
  const kernels = document_.kernels || [];
  stackPlot(section, {name: "cycle-stacks", title: "Where the cycles go",
    about: "Cycles of the execution engines by cause, mean of all engines.",
    rows: kernels.map(kernel => ({name: kernel.name, stack: kernel.cycle_stack || {}}))});
  table(section, "Kernels", kernels, [
    {key: "name", title: "kernel"}, {key: "cycles", title: "cycles"},
    {title: "time, µs", value: kernel => microseconds(kernel.time_ns)},
    {title: "low, µs", value: kernel => microseconds(kernel.time_ns_low)}, {title: "high, µs", value: kernel => microseconds(kernel.time_ns_high)},
    {key: "work_item_instructions", title: "work-item instructions"},
    {title: "L1 misses, %", value: kernel => ratioOf(kernel.l1, "misses")},
    {title: "L2 misses, %", value: kernel => ratioOf(kernel.l2, "misses")},
    {key: "dram_bytes", title: "DRAM, bytes"}, {key: "simd_efficiency", title: "SIMD efficiency"},
    {key: "sampled.error_percent", title: "estimated within, %"},
  ]);
  designsOf(section, document_.designs);
  rooflinePlot(section, kernels, document_.gpu, all);
  for (const kernel of kernels) {
    if (kernel.detail) detailOf(section, kernel);
  }
  if (Array.isArray(document_.ablation)) ablationOf(section, document_.ablation);
}

function ratioOf(level, key) {
  return level && level.accesses > 0 ? 100 * level[key] / level.accesses : undefined;
}

function microseconds(nanoseconds) {
  return typeof nanoseconds === "number" ? nanoseconds / 1000 : undefined;
}

// Several GPUs, or one with changed parameters, on the same kernels.
function designsOf(section, designs) {
  if (!Array.isArray(designs) || designs.length < 2) return;
  const nameOf = design => [design.gpu, design.set].filter(text => typeof text === "string").join(" ");
  const names = designs.map(nameOf), rows = [];
  for (const {name} of designs[0].kernels || [])
    designs.forEach((design, i) => {
      const kernel = (design.kernels || []).find(one => one.name === name);
      if (kernel && kernel.time_ns > 0) rows.push({kernel: name, design: names[i], microseconds: kernel.time_ns / 1000, cycles: kernel.cycles});
    });
  intervalPlot(section, {name: "designs", title: "GPUs compared", unit: "predicted time, µs", names, about: "Each kernel on each GPU; the axis is logarithmic.",
    rows: rows.map(row => ({name: row.kernel, value: row.microseconds, series: row.design, about: [["on", row.design], ["cycles", number(row.cycles)]]}))});
  table(section, "Times on each GPU", rows, [{key: "kernel"}, {key: "design", title: "GPU"}, {key: "microseconds", title: "µs"}, {key: "cycles"}]);
}

function detailOf(section, kernel) {
  const {lines, occupancy} = kernel.detail;
  if (Array.isArray(lines) && lines.length > 0) sourceHeat(section, kernel, lines);
  remarksOf(section, kernel);
  if (occupancy && Array.isArray(occupancy.cores)) occupancyPlot(section, kernel, occupancy);
  const cores = kernel.core_cycle_stacks;
  if (Array.isArray(cores) && cores.length > 1)
    stackPlot(section, {name: `core-stacks-${kernel.name}`, title: `Cores of ${kernel.name}`, about: "The cycle stack of each shader core.",
      rows: cores.map((stack, i) => ({name: `core ${i}`, stack}))});
}

// Returns the name of a step of an ablation: which mechanism is left out (−) or added (+).
function stepName(step) {
  if (step.kind === "all") return "all";
  return (step.kind === "step" ? "+ " : "− ") + (step.mechanism || "none");
}

function ablationOf(section, steps) {
  const rows = steps.filter(step => step.mechanism !== null && typeof step.change_percent === "number").map(step => ({
    name: stepName(step), text: percent(step.change_percent),
    parts: [{value: step.change_percent, text: percent(step.change_percent), colour: series(step.change_percent < 0 ? 0 : 1)}],
    about: step.meaning ? [["", step.meaning]] : []}));
  barPlot(section, {name: "ablation", title: "What each mechanism does to the cycles",
    about: "−: one mechanism off in turn, against all. +: mechanisms added one by one, each against the step before. Geometric mean of the kernels.",
    rows, unit: "change of cycles, %", cutOutliers: true});
}
